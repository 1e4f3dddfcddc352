import { expect } from 'vitest'
import { type Arena, outcomeOf, type QueueId, type Seat } from './arena'
import { Delay, type Race, type Tally } from './race'

const NORTH: QueueId = 'north'
const SOUTH: QueueId = 'south'

/**
 * Two queues match one player at once, on three nodes. The player is in one match. In the other queue, the two parties
 * that are left are matched with each other in the same tick or the next, with the age that they had.
 */
export async function twoQueues(arena: Arena, { rounds, random }: Race): Promise<Tally> {
  const tally = { north: 0, south: 0, sameTick: 0, nextTick: 0 }
  const [first, second] = [new Delay(random), new Delay(random)]
  for (let round = 0; round < rounds; round++) {
    const ann = arena.newPlayer()
    const parties = async (queueId: QueueId) => ({
      queueId,
      mine: await arena.searching(queueId, ann),
      rival: await arena.searching(queueId),
      spare: await arena.searching(queueId),
    })
    const [north, south] = [await parties(NORTH), await parties(SOUTH)]
    const ages = await agesOf(arena, [north.rival, north.spare, south.rival, south.spare])
    await Promise.all([
      first.pass().then(() => arena.tick(arena.next(), NORTH)),
      second.pass().then(() => arena.tick(arena.next(), SOUTH)),
      arena.tick(arena.next(), random() < 0.5 ? NORTH : SOUTH),
    ])
    const inNorth = (await arena.read(north.mine)).matchId !== null
    const [won, lost] = inNorth ? [north, south] : [south, north]
    tally[inNorth ? 'north' : 'south']++
    first.adapt(inNorth)
    second.adapt(!inNorth)
    const { matchId } = await arena.read(won.mine)
    expect(matchId, 'the player is matched').not.toBeNull()
    expect((await arena.read(lost.mine)).matchId, 'the player is in no second match').toBeNull()
    const isMatched = async () => (await arena.read(lost.rival)).matchId !== null
    const atOnce = await isMatched()
    tally[atOnce ? 'sameTick' : 'nextTick']++
    if (!atOnce) await Promise.all(arena.nodes.map((node) => arena.tick(node, lost.queueId)))
    const left = (await arena.read(lost.rival)).matchId
    expect(left, 'the parties that are left are matched').not.toBeNull()
    expect((await arena.read(lost.spare)).matchId, 'with each other').toBe(left)
    await expectAges(arena, left ?? '', ages)
    await arena.work()
    expect(await arena.read(lost.mine)).toMatchObject({ status: 'waiting', lastExit: { reason: 'matched_elsewhere' } })
    expect(await arena.liveMatches(ann)).toEqual(arena.nodes.map(() => matchId))
    await arena.clear(north.mine, north.rival, north.spare, south.mine, south.rival, south.spare)
  }
  return tally
}

/** Returns the time at which each lobby entered the queue. */
async function agesOf(arena: Arena, seats: readonly Seat[]): Promise<Map<string, number>> {
  const lobbies = await Promise.all(seats.map((seat) => arena.read(seat)))
  return new Map(lobbies.map(({ id, ticket }) => [id, ticket?.enteredAt ?? Number.NaN]))
}

async function expectAges(arena: Arena, matchId: string, ages: ReadonlyMap<string, number>): Promise<void> {
  const { waits, createdAt } = await arena.matchOf(matchId)
  expect(waits).toHaveLength(2)
  for (const { lobbyId, waitedMs } of waits) expect(createdAt - waitedMs, 'the age').toBe(ages.get(lobbyId))
}

/**
 * A player leaves a match on one device while they enter a queue on another: with a lobby of their own, or by joining a
 * lobby whose host enters. The search begins or is refused with PLAYER_IN_MATCH; the player is out of the match in both
 * cases, and may then enter.
 */
export async function leaveAndEnter(arena: Arena, { rounds, random }: Race): Promise<Tally> {
  const tally = { entered: 0, refused: 0, joined: 0, tooLate: 0 }
  const [leaving, entering] = [new Delay(random), new Delay(random)]
  const { projectId } = arena
  for (let round = 0; round < rounds; round++) {
    const [mine, theirs] = await arena.playing(NORTH)
    const { playerId } = mine
    const { matchId } = await arena.read(mine)
    const joins = round % 2 === 0
    const party = await arena.lobby(joins ? 'west' : SOUTH, joins ? undefined : playerId)
    const [leaver, joiner, host] = [arena.next(), arena.next(), arena.next()]
    const [left, joined, entered] = await Promise.all([
      leaving.pass().then(() => outcomeOf(leaver.players.leaveMatch({ projectId, playerId }))),
      joins ? outcomeOf(joiner.lobbies.join({ projectId, lobbyId: party.lobbyId, playerId })) : 'none',
      entering.pass().then(() => outcomeOf(host.lobbies.enqueue(party))),
    ])
    expect(left).toBe('ok')
    expect(['none', 'ok', 'LOBBY_NOT_ACCEPTING']).toContain(joined)
    expect(['ok', 'PLAYER_IN_MATCH']).toContain(entered)
    expect(await arena.liveMatches(playerId)).toEqual(arena.nodes.map(() => undefined))
    const seats = (await arena.matchOf(matchId ?? '')).teams.flatMap(({ players }) => players)
    expect(seats.filter(({ leftAt }) => leftAt === null).map((seat) => seat.playerId)).toEqual([theirs.playerId])
    const seen = await Promise.all(arena.nodes.map((node) => arena.read(party, node)))
    expect(seen.map(({ status }) => status)).toEqual(seen.map(() => (entered === 'ok' ? 'in_queue' : 'waiting')))
    tally[entered === 'ok' ? 'entered' : 'refused']++
    if (joined !== 'none') tally[joined === 'ok' ? 'joined' : 'tooLate']++
    leaving.adapt(entered === 'ok')
    entering.adapt(entered !== 'ok')
    if (entered !== 'ok') expect(await outcomeOf(host.lobbies.enqueue(party)), 'nobody is locked out').toBe('ok')
    await arena.clear(theirs, party)
  }
  return tally
}

/**
 * Two devices start two lobbies of one player, while a third enters a queue. One start succeeds, and the other is
 * refused. The search is refused, or it ends; then no node shows a search or a second match of the player.
 */
export async function startAndEnter(arena: Arena, { rounds, random }: Race): Promise<Tally> {
  const tally = { first: 0, second: 0, entered: 0, refused: 0 }
  const [first, second, entering] = [new Delay(random), new Delay(random), new Delay(random)]
  for (let round = 0; round < rounds; round++) {
    const ann = arena.newPlayer()
    const lobbies = [await arena.lobby(NORTH, ann), await arena.lobby(SOUTH, ann)] as const
    const search = await arena.lobby('west', ann)
    const [one, other, third] = [arena.next(), arena.next(), arena.next()]
    const [a, b, entered] = await Promise.all([
      first.pass().then(() => outcomeOf(one.lobbies.start(lobbies[0]))),
      second.pass().then(() => outcomeOf(other.lobbies.start(lobbies[1]))),
      entering.pass().then(() => outcomeOf(third.lobbies.enqueue(search))),
      arena.work(),
    ])
    expect([a, b].sort()).toEqual(['PLAYER_IN_MATCH', 'ok'])
    expect(['ok', 'PLAYER_IN_MATCH']).toContain(entered)
    tally[a === 'ok' ? 'first' : 'second']++
    first.adapt(a === 'ok')
    second.adapt(a !== 'ok')
    await arena.work()
    const { status, lastExit } = await arena.read(search)
    expect(status, 'no search goes on').toBe('waiting')
    if (entered === 'ok') expect(lastExit?.reason).toBe('matched_elsewhere')
    tally[entered === 'ok' ? 'entered' : 'refused']++
    entering.adapt(entered === 'ok')
    const { matchId } = await arena.read(lobbies[a === 'ok' ? 0 : 1])
    expect(await arena.liveMatches(ann)).toEqual(arena.nodes.map(() => matchId))
    expect((await arena.read(lobbies[a === 'ok' ? 1 : 0])).status).toBe('waiting')
    await arena.clear(...lobbies, search)
  }
  return tally
}
