import type { Matchyard } from '@matchyard/core'
import { expect } from 'vitest'
import { type Arena, outcomeOf, type Seat } from './arena'
import { Delay, type Race, type Tally } from './race'

/**
 * A player is banned from the project, or from the queue, while two nodes match the queue. Either the player is in the
 * match, which goes on, or the search has ended and the two other parties are matched with each other. After the ban no
 * node lets the player enter.
 */
export async function banAndMatch(arena: Arena, { rounds, random }: Race): Promise<Tally> {
  const tally = { matched: 0, keptOutMeanwhile: 0, bannedBefore: 0 }
  const [banning, matching] = [new Delay(random), new Delay(random)]
  for (let round = 0; round < rounds; round++) {
    const queues = round % 2 === 0 ? null : ['north']
    const [mine, rival, spare] = await searches(arena)
    const { projectId, playerId } = mine
    const [host, working] = [arena.next(), arena.next()]
    let isBanned = false
    const tick = async () => {
      const wasBanned = isBanned
      await arena.tick(arena.next(), 'north')
      return wasBanned
    }
    const [first, second, matchAtBan] = await Promise.all([
      matching.pass().then(tick),
      matching.pass().then(tick),
      banning.pass().then(async () => {
        await host.bans.set({ projectId, playerId, queues })
        isBanned = true
        const { matchId } = await arena.read(mine)
        await working.worker.runDueJobs()
        return matchId
      }),
    ])
    const { matchId } = await arena.read(mine)
    const isMatched = matchId !== null
    const isBefore = first && second
    tally[isMatched ? 'matched' : isBefore ? 'bannedBefore' : 'keptOutMeanwhile']++
    expect(matchId, 'the player is in a match before the ban, or in none').toBe(matchAtBan)
    if (isBefore) expect(isMatched, 'a tick that begins after the ban lets nobody in').toBe(false)
    banning.adapt(!isMatched)
    matching.adapt(isMatched)
    await arena.work()
    await expectOneView(arena, mine, matchId)
    await arena.tick(arena.next(), 'north')
    await expectPairs(arena, { mine, rival, spare, matchId })
    await expectKeptOut(arena, mine)
    await arena.clear(mine, rival, spare)
    await host.bans.delete({ projectId, playerId })
  }
  expect(Math.min(tally.matched, tally.keptOutMeanwhile), 'each side wins').toBeGreaterThan(0)
  return tally
}

async function searches(arena: Arena): Promise<readonly [Seat, Seat, Seat]> {
  return [await arena.searching('north'), await arena.searching('north'), await arena.searching('north')]
}

/** All nodes show the player in the match, or all nodes show that the search ended with the ban. */
async function expectOneView(arena: Arena, mine: Seat, matchId: string | null): Promise<void> {
  const { projectId, playerId } = mine
  expect(await arena.liveMatches(playerId)).toEqual(arena.nodes.map(() => matchId ?? undefined))
  const after = matchId === null ? { status: 'waiting', lastExit: { reason: 'banned' } } : { status: 'in_game' }
  const look = (node: Matchyard) => Promise.all([arena.read(mine, node), node.bans.get({ projectId, playerId })])
  for (const [lobby, ban] of await Promise.all(arena.nodes.map(look))) {
    expect(lobby).toMatchObject({ ...after, matchId })
    expect(ban.playerId).toBe(playerId)
  }
}

interface Pairs {
  readonly mine: Seat
  readonly rival: Seat
  readonly spare: Seat
  readonly matchId: string | null
}

/** The match of the player holds the oldest other party. Without such a match, the two other parties are in a match. */
async function expectPairs(arena: Arena, { mine, rival, spare, matchId }: Pairs): Promise<void> {
  const found = (await arena.read(rival)).matchId ?? ''
  const { teams } = await arena.matchOf(found)
  const names = teams.flatMap(({ players }) => players.map(({ playerId }) => playerId)).sort()
  const pair = matchId === null ? [rival, spare] : [mine, rival]
  expect(names).toEqual(pair.map(({ playerId }) => playerId).sort())
  expect((await arena.read(spare)).matchId).toBe(matchId === null ? found : null)
}

/** No node lets the player enter the queue again. */
async function expectKeptOut(arena: Arena, { projectId, playerId }: Seat): Promise<void> {
  const create = (node: Matchyard) => outcomeOf(node.lobbies.create({ projectId, queueId: 'north', playerId }))
  expect(await Promise.all(arena.nodes.map(create))).toEqual(arena.nodes.map(() => 'PLAYER_BANNED'))
}
