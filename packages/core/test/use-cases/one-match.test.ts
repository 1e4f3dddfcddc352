import { createMatchyard, type QueueSettings } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { AsideTickets } from '../../src/director/set-aside'

const DUEL = { teams: 2, playersPerTeam: 1 }

async function game(settings: Partial<QueueSettings> = {}) {
  const clock = new FakeClock()
  const matchyard = createMatchyard({ ...fakePlatform({ clock, seed: 1 }), storage: memoryStorage() })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  for (const queueId of ['duel', 'casual', 'third']) {
    await matchyard.queues.create({ projectId, queueId, name: queueId, matchmaking: DUEL, ...settings } as never)
  }
  const lobby = async (playerId: string, queueId = 'duel') => {
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId, playerId })
    return { projectId, lobbyId, playerId }
  }
  const searching = async (playerId: string, queueId = 'duel') => {
    const on = await lobby(playerId, queueId)
    await matchyard.lobbies.enqueue(on)
    return on
  }
  const tick = (queueId = 'duel') => matchyard.matchmaking.runQueue(`${projectId}/${queueId}`)
  const work = () => matchyard.worker.runDueJobs()
  const now = async (on: { lobbyId: string }) =>
    matchyard.lobbies.get({ projectId, lobbyId: on.lobbyId, backend: true })
  /** Puts two players into a match of the queue and returns their lobbies. */
  const match = async (one: string, other: string, queueId = 'duel') => {
    const on = [await searching(one, queueId), await searching(other, queueId)] as const
    await tick(queueId)
    await work()
    return on
  }
  const self = (playerId: string) => matchyard.players.self({ projectId, playerId })
  const leave = (playerId: string) => matchyard.players.leaveMatch({ projectId, playerId })
  return { clock, matchyard, projectId, lobby, searching, tick, work, now, match, self, leave }
}

const refused = (code: string, details: object = {}) => ({ code, details: expect.objectContaining(details) })

describe('a player in a live match', () => {
  it('can enter no other queue and start no lobby, and learns in which match they are', async () => {
    const { matchyard, lobby, match, now } = await game()
    const [mine] = await match('ann', 'bob')
    const matchId = (await now(mine)).matchId
    const other = await lobby('ann', 'casual')
    const players = [{ playerId: 'ann', matchId }]
    await expect(matchyard.lobbies.enqueue(other)).rejects.toMatchObject(refused('PLAYER_IN_MATCH', { players }))
    await expect(matchyard.lobbies.start(other)).rejects.toMatchObject(refused('PLAYER_IN_MATCH', { players }))
    expect(await now(other)).toMatchObject({ status: 'waiting', version: 1 })
  })

  it.each(['end', 'leave', 'leaveMatch', 'kick'])('can enter again after the %s', async (way) => {
    const { matchyard, projectId, lobby, match, leave } = await game()
    const [mine] = await match('ann', 'bob')
    const other = await lobby('ann', 'casual')
    if (way === 'end') await matchyard.lobbies.end({ ...mine, backend: true })
    if (way === 'leave') await matchyard.lobbies.leave(mine)
    if (way === 'leaveMatch') await leave('ann')
    if (way === 'kick') await matchyard.lobbies.removePlayer({ ...mine, targetPlayerId: 'ann' })
    expect((await matchyard.lobbies.enqueue(other)).status).toBe('in_queue')
    expect((await matchyard.players.find({ projectId, playerId: 'ann' })).liveMatch).toBeNull()
  })

  it('may be in several matches of queues that allow it, which neither count nor refuse', async () => {
    const { matchyard, projectId, lobby, match, now, self } = await game()
    const changes = { concurrentMatches: true }
    await matchyard.queues.update({ projectId, queueId: 'casual', changes })
    await match('ann', 'bob', 'casual')
    expect((await self('ann')).liveMatch).toBeNull()
    const [mine] = await match('ann', 'cid')
    expect((await now(mine)).status).toBe('in_game')
    const other = await lobby('ann', 'casual')
    expect((await matchyard.lobbies.start(other)).status).toBe('starting')
  })

  it('is found in that match until they leave it, and a second leave finds none', async () => {
    const { match, now, self, leave } = await game()
    const [mine, theirs] = await match('ann', 'bob')
    const { matchId } = await now(mine)
    expect((await self('ann')).liveMatch).toMatchObject({ matchId, lobbyId: mine.lobbyId, status: 'running' })
    await leave('ann')
    await expect(now(mine)).rejects.toMatchObject({ code: 'LOBBY_NOT_FOUND' })
    await expect(leave('ann')).rejects.toMatchObject({ code: 'MATCH_NOT_FOUND' })
    expect(await now(theirs)).toMatchObject({ status: 'in_game', matchId })
    expect((await self('bob')).liveMatch).toMatchObject({ matchId })
  })
})

describe('searches in several lobbies', () => {
  it('end with matched_elsewhere once one of them is matched', async () => {
    const { searching, tick, work, now, self } = await game()
    const [first, second] = [await searching('ann'), await searching('ann', 'casual')]
    expect((await self('ann')).searches.map(({ lobbyId }) => lobbyId)).toEqual([first.lobbyId, second.lobbyId])
    await searching('bob')
    await tick()
    await work()
    expect((await now(first)).status).toBe('in_game')
    expect(await now(second)).toMatchObject({ status: 'waiting', lastExit: { reason: 'matched_elsewhere' } })
    expect((await self('ann')).searches).toEqual([])
  })

  it('go on where the queue allows several matches', async () => {
    const { matchyard, projectId, searching, tick, work, now } = await game()
    await matchyard.queues.update({ projectId, queueId: 'casual', changes: { concurrentMatches: true } })
    const second = await searching('ann', 'casual')
    await searching('ann')
    await searching('bob')
    await tick()
    await work()
    expect((await now(second)).status).toBe('in_queue')
  })

  it('are at most five for each player', async () => {
    const { matchyard, searching, lobby } = await game({ concurrentMatches: true })
    for (let n = 0; n < 5; n++) await searching('ann', n < 3 ? 'duel' : 'casual')
    const sixth = await lobby('ann', 'third')
    await expect(matchyard.lobbies.enqueue(sixth)).rejects.toMatchObject(
      refused('TOO_MANY_SEARCHES', { players: ['ann'], limit: 5 }),
    )
  })

  it('of which two are matched at once give one match, and the other players are matched in the same tick', async () => {
    const { clock, searching, tick, work, now } = await game()
    const both = [await searching('ann'), await searching('ann', 'casual')] as const
    const rival = await searching('bob', 'casual')
    clock.advance(1)
    const spare = await searching('dan', 'casual')
    await searching('cid')
    await tick()
    expect((await now(both[0])).status).toBe('matched')
    // The job that ends ann's other search has not run yet, and the director of the other queue still knows it.
    await tick('casual')
    await tick('casual')
    expect((await now(rival)).status).toBe('matched')
    expect((await now(spare)).matchId).toBe((await now(rival)).matchId)
    await work()
    expect((await now(both[1])).lastExit?.reason).toBe('matched_elsewhere')
  })
})

describe('a player in a proposal', () => {
  const asked = { matchmaking: { ...DUEL, readyCheck: { timeoutSeconds: 15 } } }

  it('keeps other searches aside with their age until the proposal fails', async () => {
    const { clock, matchyard, searching, tick, now, self } = await game(asked)
    const other = await searching('ann', 'casual')
    const { ticket } = await now(other)
    const rival = await searching('dan', 'casual')
    const [mine] = [await searching('ann'), await searching('bob')]
    await tick()
    expect((await now(mine)).proposal).toBeDefined()
    await tick('casual')
    const explained = () => matchyard.lobbies.explainMatchmaking({ ...other, backend: true })
    expect((await explained()).heldBy).toBe('elsewhere')
    expect((await now(rival)).proposal).toBeUndefined()
    expect((await self('ann')).liveMatch).toBeNull()
    await matchyard.lobbies.decline(mine)
    expect((await now(other)).ticket).toEqual(ticket)
    expect((await explained()).heldBy).toBeNull()
    clock.advance(1_000)
    await tick('casual')
    expect((await now(other)).proposal).toMatchObject({ enteredAt: ticket?.enteredAt })
    expect((await now(rival)).proposal?.matchId).toBe((await now(other)).proposal?.matchId)
  })

  it('declines it by leave-match, and starts no other lobby meanwhile', async () => {
    const { matchyard, lobby, searching, tick, now, leave } = await game(asked)
    const [mine, theirs] = [await searching('ann'), await searching('bob')]
    await tick()
    const other = await lobby('ann', 'casual')
    await expect(matchyard.lobbies.start(other)).rejects.toMatchObject({ code: 'PLAYER_IN_MATCH' })
    await leave('ann')
    expect(await now(mine)).toMatchObject({ status: 'waiting', lastExit: { reason: 'declined' } })
    expect((await now(theirs)).status).toBe('in_queue')
  })

  it('ends the other searches when all accept', async () => {
    const { matchyard, searching, tick, work, now } = await game(asked)
    const other = await searching('ann', 'casual')
    const [mine, theirs] = [await searching('ann'), await searching('bob')]
    await tick()
    await matchyard.lobbies.accept(mine)
    await work()
    expect((await now(other)).status).toBe('in_queue')
    await matchyard.lobbies.accept(theirs)
    await work()
    expect(await now(other)).toMatchObject({ status: 'waiting', lastExit: { reason: 'matched_elsewhere' } })
  })
})

it('two direct starts of one player at the same instant give one match', async () => {
  const { matchyard, lobby } = await game()
  const lobbies = await Promise.all(['duel', 'casual', 'third'].map((queueId) => lobby('ann', queueId)))
  const starts = await Promise.allSettled(lobbies.map((on) => matchyard.lobbies.start(on)))
  expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const start of starts) if (start.status === 'rejected') expect(start.reason.code).toBe('PLAYER_IN_MATCH')
})

it('a recorded search that ended elsewhere says so', async () => {
  const { matchyard, projectId, searching, match } = await game()
  await searching('ann', 'casual')
  await match('ann', 'bob')
  const { data } = await matchyard.queues.arrivals({ projectId, queueId: 'casual' })
  expect(data.map(({ outcome }) => outcome)).toEqual(['matched_elsewhere'])
})

it('cooldowns are those of the first hundred queues', async () => {
  const readyCheck = { timeoutSeconds: 15, penaltySeconds: 60 }
  const { matchyard, projectId, searching, tick, self } = await game({ matchmaking: { ...DUEL, readyCheck } } as never)
  const decline = async (queueId: string) => {
    const mine = await searching('ann', queueId)
    await searching('bob', queueId)
    await tick(queueId)
    await matchyard.lobbies.decline(mine)
  }
  await decline('duel')
  expect((await self('ann')).cooldowns).toEqual([{ queueId: 'duel', until: expect.any(Number) }])
  for (let n = 0; n < 100; n++) {
    await matchyard.queues.create({ projectId, queueId: `a${n}`, name: 'Earlier', matchmaking: DUEL } as never)
  }
  expect((await self('ann')).cooldowns).toEqual([])
})

it('tickets that were set aside are checked again 250 in a tick, the earliest first', () => {
  const aside = new AsideTickets(1_000)
  for (let n = 0; n < 300; n++) aside.add(`tkt_${n}`, n)
  expect(aside.nextAt()).toBe(1_000)
  expect(aside.due(999)).toEqual([])
  expect(aside.due(1_010)).toHaveLength(11)
  const due = aside.due(9_000)
  expect([due.length, due.at(0), due.at(-1)]).toEqual([250, 'tkt_0', 'tkt_249'])
  for (const id of due) aside.add(id, 9_000)
  expect(aside.due(9_000)).toHaveLength(50)
})
