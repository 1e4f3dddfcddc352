import { createMatchyard, type DomainEvent, type QueueMatchmaking, type ServerMessage } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { settled } from './service'

const TWO_A_SIDE: QueueMatchmaking = {
  teams: 2,
  playersPerTeam: 2,
  rules: [{ type: 'difference', field: 'mmr', maxDifference: 200 }],
}

/** Returns a running match, two against two, with each player in an own lobby. */
async function running(matchmaking: QueueMatchmaking = TWO_A_SIDE, names = ['ann', 'bob', 'cat', 'dan']) {
  const clock = new FakeClock()
  const orchestrator = new FakeOrchestrator(clock)
  const storage = memoryStorage()
  const matchyard = createMatchyard({
    ...fakePlatform({ clock, seed: 1 }),
    storage,
    orchestrator,
    apiUrl: 'http://localhost',
  })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
  const queueId = 'arena'
  await matchyard.queues.create({
    projectId,
    queueId,
    name: 'Arena',
    matchmaking,
    serverSettings: { versionTag: 'arena' },
  })
  const work = async () => {
    for (let round = 0; round < 3; round++) {
      await matchyard.worker.runDueJobs()
      await matchyard.worker.reconcileServers()
    }
  }
  const queued = async (playerId: string, mmr = 1_500) => {
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId, playerId, state: { mmr } })
    const on = { projectId, lobbyId, playerId }
    await matchyard.lobbies.enqueue(on)
    return { ...on, now: () => matchyard.lobbies.get({ ...on, backend: true }) }
  }
  const tick = () => matchyard.matchmaking.runQueue(`${projectId}/${queueId}`)
  const events: DomainEvent[] = []
  matchyard.events.on('*', (event) => events.push(event))
  const lobbies = []
  for (const name of names) lobbies.push(await queued(name))
  clock.advance(6_000)
  await work()
  await tick()
  await work()
  const [ann, bob] = lobbies
  if (ann === undefined || bob === undefined) throw new Error('two at least')
  const matchId = (await ann.now()).matchId ?? ''
  const match = async () => (await matchyard.matches.get({ projectId, matchId })).match
  const server = (await match()).serverId ?? ''
  const self = { projectId, instanceId: server, attempt: 1 }
  const playing = async () =>
    (await match()).teams
      .flatMap(({ players }) => players.filter(({ leftAt }) => leftAt === null))
      .map((one) => one.playerId)
  /** Returns the queue's ticket rows, which include its backfill requests. */
  const rows = async () => (await storage.tickets.changedSince(`${projectId}/${queueId}`, undefined, 100)).changes
  return {
    clock,
    matchyard,
    projectId,
    queueId,
    work,
    queued,
    tick,
    events,
    ann,
    bob,
    matchId,
    match,
    self,
    playing,
    rows,
  }
}

const automatic: QueueMatchmaking = { ...TWO_A_SIDE, backfill: { automatic: true, timeoutSeconds: 60 } }

describe('an open seat of a running match', () => {
  it('is asked for, and filled in one commit; the newcomer enters the game, and the request is gone', async () => {
    const { matchyard, projectId, matchId, ann, queued, tick, work, match, playing, rows, events } = await running()
    await matchyard.lobbies.leave(ann)
    const on = { projectId, matchId }
    const asked = await matchyard.matches.backfill(on)
    expect(asked).toMatchObject({ matchId, status: 'searching', teams: [{ open: 1, roles: null }] })
    expect(await matchyard.matches.getBackfill(on)).toEqual(asked)
    const { version } = await match()
    const eve = await queued('eve')
    expect(await tick()).toMatchObject({ matches: 0, fills: 1 })
    expect(await eve.now()).toMatchObject({ status: 'matched', matchId, server: { status: 'running' } })
    expect((await playing()).sort()).toEqual(['bob', 'cat', 'dan', 'eve'])
    expect(await rows()).toEqual([])
    await expect(matchyard.matches.getBackfill(on)).rejects.toMatchObject({ code: 'BACKFILL_NOT_FOUND' })
    const matched = await eve.now()
    await work()
    expect(await eve.now()).toMatchObject({ status: 'in_game', server: matched.server, version: matched.version + 1 })
    expect((await match()).version).toBe(version + 1)
    const told = events.filter(({ type }) => type === 'match_backfilled')
    expect(told).toMatchObject([{ lobbyIds: [eve.lobbyId], waits: [{ lobbyId: eve.lobbyId, players: 1 }] }])
  })

  it('is left to whom the rules allow beside those who play, by the state that the game told', async () => {
    const { matchyard, projectId, matchId, ann, queued, tick, playing } = await running()
    await matchyard.lobbies.leave(ann)
    await matchyard.matches.backfill({ projectId, matchId })
    const eve = await queued('eve', 1_750)
    expect(await tick()).toMatchObject({ fills: 0 })
    const players = ['bob', 'cat', 'dan'].map((playerId) => ({ playerId, state: { mmr: 1_600 } }))
    await matchyard.matches.backfill({ projectId, matchId, players })
    expect(await tick()).toMatchObject({ fills: 1 })
    expect(await playing()).toContain(eve.playerId)
  })

  it('is left to players who are not banned, and the search of a banned one ends', async () => {
    const { matchyard, projectId, matchId, ann, queued, tick, playing } = await running()
    await matchyard.lobbies.leave(ann)
    await matchyard.matches.backfill({ projectId, matchId })
    const eve = await queued('eve')
    await matchyard.bans.set({ projectId, playerId: 'eve' })
    expect(await tick()).toMatchObject({ fills: 0 })
    expect(await eve.now()).toMatchObject({ status: 'waiting', lastExit: { reason: 'banned' } })
    await queued('fay')
    expect(await tick()).toMatchObject({ fills: 1 })
    expect(await playing()).toContain('fay')
  })

  it('counts for nobody who waits, and wakes nobody by itself', async () => {
    const { matchyard, projectId, queueId, matchId, ann } = await running()
    await matchyard.lobbies.leave(ann)
    await matchyard.matches.backfill({ projectId, matchId })
    const stats = await matchyard.queues.stats({ projectId, queueId })
    expect(stats).toMatchObject({ lobbiesSearching: 0, playersSearching: 0 })
    expect(await matchyard.metrics()).toMatchObject({ waitingParties: 0, waitingPlayers: 0 })
  })

  it('outlives a change of the queue that sends unmatchable parties away', async () => {
    const { matchyard, projectId, queueId, matchId, ann, work, rows } = await running()
    await matchyard.lobbies.leave(ann)
    await matchyard.matches.backfill({ projectId, matchId })
    await matchyard.queues.update({ projectId, queueId, changes: { matchmaking: { ...TWO_A_SIDE, maxPartySize: 1 } } })
    await work()
    expect(await rows()).toHaveLength(1)
  })

  it('is no longer asked for once the time is over, the match has ended, or its server is being stopped', async () => {
    const { clock, matchyard, projectId, matchId, ann, bob, work, rows, self } = await running()
    await matchyard.lobbies.leave(ann)
    const on = { projectId, matchId }
    await matchyard.matches.backfill({ ...on, timeoutSeconds: 5 })
    clock.advance(4_999)
    await work()
    expect(await rows()).toHaveLength(1)
    clock.advance(1)
    await work()
    expect(await rows()).toEqual([])
    await matchyard.matches.backfill(on)
    await matchyard.servers.stop({ projectId, instanceId: self.instanceId })
    expect(await rows()).toEqual([])
    await expect(matchyard.matches.backfill(on)).rejects.toMatchObject({ code: 'INVALID_MATCH_STATE' })
    await expect(matchyard.matches.cancelBackfill(on)).rejects.toMatchObject({ code: 'BACKFILL_NOT_FOUND' })
    expect((await bob.now()).status).toBe('waiting')
  })

  it('refuses what it cannot be asked for', async () => {
    const { matchyard, projectId, matchId } = await running()
    const ask = (more: object = {}) => matchyard.matches.backfill({ projectId, matchId, ...more })
    await expect(ask()).rejects.toMatchObject({ code: 'INVALID_MATCH_STATE' })
    await expect(ask({ matchId: 'mat_none' })).rejects.toMatchObject({ code: 'MATCH_NOT_FOUND' })
    await expect(ask({ timeoutSeconds: 4 })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await expect(ask({ timeout: 40 })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await expect(ask({ teams: [] })).rejects.toMatchObject({ details: { issues: [{ path: 'teams' }] } })
    await expect(ask({ teams: [{ name: 'team_1', open: 1 }] })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  it('can be asked for while the queue takes no lobbies', async () => {
    const { matchyard, projectId, matchId, ann, queueId } = await running()
    await matchyard.lobbies.leave(ann)
    await matchyard.queues.update({ projectId, queueId, changes: { enabled: false } })
    expect(await matchyard.matches.backfill({ projectId, matchId })).toMatchObject({ status: 'searching' })
  })
})

describe('a queue that asks by itself', () => {
  it('asks in the commit that leaves a running match short, and goes on asking with its age until it is closed', async () => {
    const { clock, matchyard, projectId, matchId, ann, self, work, rows } = await running(automatic)
    await expect(matchyard.matches.getBackfill({ projectId, matchId })).rejects.toThrow()
    await matchyard.lobbies.leave(ann)
    const asked = await matchyard.matches.getBackfill({ projectId, matchId })
    expect(asked).toMatchObject({ teams: [{ open: 1 }], expiresAt: asked.createdAt + 60_000 })
    clock.advance(60_000)
    await work()
    expect(await matchyard.matches.getBackfill({ projectId, matchId })).toMatchObject({
      ...{ createdAt: asked.createdAt, expiresAt: asked.expiresAt + 60_000 },
    })
    await matchyard.servers.selfClose(self)
    expect(await rows()).toEqual([])
    await expect(matchyard.matches.backfill({ projectId, matchId })).rejects.toMatchObject({
      code: 'INVALID_MATCH_STATE',
    })
  })

  it('asks for what is still open where a request for some of it was filled', async () => {
    const { matchyard, projectId, matchId, ann, bob, queued, tick, playing, match } = await running(automatic)
    const seats = async () =>
      (await match()).teams.map(({ players }) => players.filter(({ leftAt }) => leftAt === null).length)
    await matchyard.lobbies.leave(ann)
    await matchyard.lobbies.leave(bob)
    const [{ name } = { name: '' }] = (await matchyard.matches.getBackfill({ projectId, matchId })).teams
    await matchyard.matches.backfill({ projectId, matchId, teams: [{ name, open: 1 }] })
    await queued('eve')
    expect(await tick()).toMatchObject({ fills: 1 })
    expect(await playing()).toHaveLength(3)
    expect((await matchyard.matches.getBackfill({ projectId, matchId })).teams.map(({ open }) => open)).toEqual([1])
    await queued('fay')
    expect(await tick()).toMatchObject({ fills: 1 })
    expect(await seats()).toEqual([2, 2])
    await expect(matchyard.matches.getBackfill({ projectId, matchId })).rejects.toMatchObject({
      code: 'BACKFILL_NOT_FOUND',
    })
  })

  it('asks at once for a match that begins short of its full size', async () => {
    const small = { ...automatic, minPlayersPerTeam: 1 }
    const { matchyard, projectId, matchId, queued, tick, playing } = await running(small, ['ann', 'bob', 'cat'])
    expect(await matchyard.matches.getBackfill({ projectId, matchId })).toMatchObject({ teams: [{ open: 1 }] })
    await queued('dan')
    expect(await tick()).toMatchObject({ fills: 1 })
    expect(await playing()).toHaveLength(4)
  })
})

describe('the game server', () => {
  it('asks, reports who left, and closes, by its own token', async () => {
    const { matchyard, self, bob, ann, match, playing } = await running()
    await matchyard.servers.selfPlayerLeft({ ...self, playerId: 'ann' })
    await expect(ann.now()).rejects.toMatchObject({ code: 'LOBBY_NOT_FOUND' })
    expect(await playing()).not.toContain('ann')
    const { version } = await match()
    await matchyard.servers.selfPlayerLeft({ ...self, playerId: 'ann' })
    expect((await match()).version).toBe(version)
    await expect(matchyard.servers.selfPlayerLeft({ ...self, playerId: 'zoe' })).rejects.toMatchObject({
      ...{ code: 'PLAYER_NOT_IN_LOBBY', kind: 'absent' },
    })
    expect(await matchyard.servers.selfBackfill(self)).toMatchObject({ teams: [{ open: 1 }] })
    expect(await matchyard.servers.selfGetBackfill(self)).toMatchObject({ teams: [{ open: 1 }] })
    await matchyard.servers.selfCancelBackfill(self)
    await matchyard.servers.selfClose(self)
    await matchyard.servers.selfClose(self)
    await expect(matchyard.servers.selfBackfill(self)).rejects.toMatchObject({ code: 'INVALID_MATCH_STATE' })
    await expect(matchyard.servers.selfBackfill({ ...self, attempt: 2 })).rejects.toMatchObject({
      code: 'INVALID_SERVER_STATE',
    })
    expect((await bob.now()).status).toBe('in_game')
  })

  it('reports under a key who left, and a copy of that which comes late does not throw out who is back', async () => {
    const { matchyard, self, playing, queued, tick } = await running(automatic)
    const call = { idempotency: { id: 'ann has left', requestHash: 'ann has left' } }
    const left = () => matchyard.servers.selfPlayerLeft({ ...self, playerId: 'ann' }, call)
    await left()
    expect(await playing()).not.toContain('ann')
    await queued('ann')
    expect(await tick()).toMatchObject({ fills: 1 })
    await left()
    expect(await playing()).toContain('ann')
    await matchyard.servers.selfPlayerLeft({ ...self, playerId: 'ann' })
    expect(await playing()).not.toContain('ann')
  })

  it('reads its configuration as it is now', async () => {
    const { matchyard, self, match } = await running()
    await matchyard.servers.selfPlayerLeft({ ...self, playerId: 'ann' })
    const now = await match()
    const configuration = await matchyard.servers.selfGet(self)
    expect(configuration).toMatchObject({ instance_id: self.instanceId, match_id: now.id, match_version: now.version })
    const names = (configuration.teams as { players: { player_id: string }[] }[]).flatMap((team) => team.players)
    expect(names.map((one) => one.player_id).sort()).toEqual(['bob', 'cat', 'dan'])
  })

  it('is told of its roster as it is, and that it is to stop; a resume tells what it does not know', async () => {
    const { matchyard, projectId, self, ann, bob, match } = await running()
    const stream = await matchyard.servers.selfWatch(self)
    const first = (await stream.next()) as Extract<ServerMessage, { event: 'match_updated' }>
    expect(first).toMatchObject({ event: 'match_updated', id: (await match()).version })
    await matchyard.lobbies.leave(ann)
    await matchyard.lobbies.leave(bob)
    await settled()
    const second = (await stream.next()) as typeof first
    expect(second).toMatchObject({ event: 'match_updated', id: (await match()).version })
    const resumed = await matchyard.servers.selfWatch({ ...self, lastEventId: String(second.id) })
    const waits = resumed.next()
    expect(await Promise.race([waits, settled()])).toBeUndefined()
    expect(matchyard.openStreams()).toBe(2)
    await matchyard.servers.stop({ projectId, instanceId: self.instanceId })
    await settled()
    const messages = [await stream.next(), await stream.next(), await waits, await resumed.next()]
    expect(messages.map((one) => one?.event)).toEqual(['match_updated', 'stopping', 'match_updated', 'stopping'])
    await matchyard.worker.runDueJobs()
    await matchyard.worker.reconcileServers()
    await settled()
    expect([await stream.next(), await resumed.next()]).toEqual([undefined, undefined])
    expect(matchyard.openStreams()).toBe(0)
  })

  it('has four streams at the most, the newest', async () => {
    const { matchyard, self } = await running()
    const streams = []
    for (let n = 0; n < 5; n++) streams.push(await matchyard.servers.selfWatch(self))
    expect(streams.map(({ isOver }) => isOver)).toEqual([true, false, false, false, false])
    expect(matchyard.openStreams()).toBe(4)
  })
})
