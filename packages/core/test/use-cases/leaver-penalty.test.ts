import { createMatchyard, type QueueSettings } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'

const cooling = { code: 'PLAYER_COOLING_DOWN', retryAfterSeconds: 600, details: { players: ['ann'] } }

/** Returns a queue with a penalty of ten minutes, and a running match of a party (ann, the host, and cat) against bob. */
async function playing(settings: Omit<QueueSettings, 'name'> = {}) {
  const clock = new FakeClock()
  const orchestrator = new FakeOrchestrator(clock)
  const matchyard = createMatchyard({ ...fakePlatform({ clock, seed: 1 }), storage: memoryStorage(), orchestrator })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
  await matchyard.worker.runDueJobs()
  const matchmaking = { teams: 2, playersPerTeam: 2, minPlayersPerTeam: 1 }
  const wanted = { leaverPenaltySeconds: 600, heartbeatTimeoutSeconds: 90, matchmaking, ...settings }
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', ...wanted })
  const lobby = async (host: string, ...others: string[]) => {
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: host })
    for (const playerId of others) await matchyard.lobbies.join({ projectId, lobbyId, playerId })
    return { projectId, lobbyId, playerId: host }
  }
  const steps = async () => {
    await matchyard.worker.runDueJobs()
    await matchyard.worker.reconcileServers()
    await matchyard.worker.runDueJobs()
  }
  const party = await lobby('ann', 'cat')
  const other = await lobby('bob')
  await matchyard.lobbies.enqueue(party)
  await matchyard.lobbies.enqueue(other)
  clock.advance(60_000)
  await matchyard.matchmaking.runQueue(`${projectId}/duel`)
  const begin = async () => {
    await steps()
    expect(await matchyard.lobbies.get({ ...party, backend: true })).toMatchObject({ status: 'in_game' })
  }
  /** Enters the queue in a new lobby of these players. */
  const enters = async (host: string, ...others: string[]) => matchyard.lobbies.enqueue(await lobby(host, ...others))
  return { matchyard, clock, orchestrator, projectId, party, lobby, enters, begin, steps }
}

describe('a player who leaves a running match', () => {
  it('cannot enter the queue for the time that the queue sets, alone or in a party, without a ready check', async () => {
    const { matchyard, clock, party, enters, begin } = await playing()
    await begin()
    await matchyard.lobbies.leave(party)
    await expect(enters('ann')).rejects.toMatchObject(cooling)
    await expect(enters('dan', 'ann')).rejects.toMatchObject(cooling)
    clock.advance(600_000 - 1)
    await expect(enters('ann')).rejects.toMatchObject({ ...cooling, retryAfterSeconds: 1 })
    clock.advance(1)
    expect(await enters('ann')).toMatchObject({ status: 'in_queue' })
  })

  it('leaves without a penalty once the match has a result, also of a match that was not completed', async () => {
    for (const completed of [true, false]) {
      const { matchyard, projectId, party, enters, begin } = await playing()
      await begin()
      const { matchId } = await matchyard.lobbies.get({ ...party, backend: true })
      const teams = ['team_1', 'team_2'].map((name) => ({ name, rank: 1 }))
      await matchyard.matches.result({ projectId, matchId: matchId ?? '', teams, completed })
      await matchyard.lobbies.leave(party)
      expect(await enters('ann')).toMatchObject({ status: 'in_queue' })
    }
  })

  it('pays also for silence, and the host who deletes the lobby pays alone', async () => {
    const silent = await playing({ heartbeat: true, concurrentMatches: true })
    await silent.begin()
    silent.clock.advance(31_000)
    await silent.matchyard.lobbies.heartbeat({ ...silent.party, playerId: 'cat' })
    await silent.matchyard.worker.runDueJobs()
    await expect(silent.enters('ann')).rejects.toMatchObject(cooling)
    expect(await silent.enters('cat')).toMatchObject({ status: 'in_queue' })

    const { matchyard, party, enters, begin } = await playing()
    await begin()
    await matchyard.lobbies.delete({ ...party, backend: false })
    await expect(enters('ann')).rejects.toMatchObject(cooling)
    expect(await enters('cat')).toMatchObject({ status: 'in_queue' })
  })

  it('may start a lobby directly, and enter another queue', async () => {
    const { matchyard, projectId, party, lobby, begin } = await playing()
    await begin()
    await matchyard.lobbies.leave(party)
    await matchyard.queues.create({
      projectId,
      queueId: 'solo',
      name: 'Solo',
      matchmaking: { teams: 2, playersPerTeam: 1 },
    })
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'solo', playerId: 'ann' })
    expect(await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId: 'ann' })).toMatchObject({
      status: 'in_queue',
    })
    expect(await matchyard.lobbies.start(await lobby('ann'))).toMatchObject({ status: 'starting' })
  })

  it('lasts a day at the most', async () => {
    const { matchyard, projectId } = await playing({ leaverPenaltySeconds: 86_400 })
    const changes = { leaverPenaltySeconds: 86_401 }
    await expect(matchyard.queues.update({ projectId, queueId: 'duel', changes })).rejects.toMatchObject({
      ...{ code: 'VALIDATION_FAILED', details: { issues: [{ path: 'leaverPenaltySeconds' }] } },
    })
  })

  it('keeps the longer of two penalties', async () => {
    const { matchyard, clock, projectId, party, enters, begin, lobby } = await playing()
    await begin()
    await matchyard.lobbies.leave(party)
    const readyCheck = { timeoutSeconds: 15, penaltySeconds: 5 }
    const changes = { leaverPenaltySeconds: 300, matchmaking: { teams: 2, playersPerTeam: 1, readyCheck } }
    await matchyard.queues.update({ projectId, queueId: 'duel', changes })
    clock.advance(500_000)
    await expect(enters('ann')).rejects.toMatchObject({ ...cooling, retryAfterSeconds: 100 })
    clock.advance(100_000)
    const again = [await lobby('ann'), await lobby('dan')]
    for (const one of again) await matchyard.lobbies.enqueue(one)
    await matchyard.matchmaking.runQueue(`${projectId}/duel`)
    for (const one of again) await matchyard.lobbies.accept(one)
    await matchyard.worker.runDueJobs()
    await matchyard.lobbies.leave(again[0] as typeof party)
    await expect(enters('ann')).rejects.toMatchObject({ ...cooling, retryAfterSeconds: 300 })
  })
})

describe('no penalty', () => {
  it('comes from leaving a match that does not run yet or was started directly, or without the setting', async () => {
    const early = await playing()
    await early.matchyard.lobbies.leave(early.party)
    expect(await early.enters('ann')).toMatchObject({ status: 'in_queue' })

    const direct = await playing()
    const custom = await direct.lobby('dan', 'eve')
    await direct.matchyard.lobbies.start(custom)
    await direct.steps()
    await direct.matchyard.lobbies.leave(custom)
    expect(await direct.enters('dan')).toMatchObject({ status: 'in_queue' })

    const free = await playing({ leaverPenaltySeconds: 0 })
    await free.begin()
    await free.matchyard.lobbies.leave(free.party)
    expect(await free.enters('ann')).toMatchObject({ status: 'in_queue' })
  })

  it('comes from a kick, a ban, an erasure, or from a backend that deletes the lobby', async () => {
    const { matchyard, projectId, party, enters, begin } = await playing()
    await begin()
    await matchyard.lobbies.removePlayer({ ...party, targetPlayerId: 'cat' })
    expect(await enters('cat')).toMatchObject({ status: 'in_queue' })
    await matchyard.players.erase({ projectId, playerId: 'ann' })
    await matchyard.worker.runDueJobs()
    expect(await enters('ann')).toMatchObject({ status: 'in_queue' })

    const banned = await playing()
    await banned.begin()
    await banned.matchyard.lobbies.banPlayer({ ...banned.party, targetPlayerId: 'cat', backend: false })
    expect(await banned.enters('cat')).toMatchObject({ status: 'in_queue' })
    const { lobbyId } = banned.party
    await banned.matchyard.lobbies.delete({ projectId: banned.projectId, lobbyId, backend: true })
    expect(await banned.enters('ann')).toMatchObject({ status: 'in_queue' })
  })
})

describe('a game server', () => {
  const hosted = { serverSettings: { versionTag: 'arena', autoRestart: true } }
  const reporting = async () => {
    const given = await playing(hosted)
    await given.begin()
    const { projectId } = given
    const instanceId = (await given.matchyard.servers.list({ projectId })).data[0]?.id ?? ''
    return { ...given, self: { projectId, instanceId, attempt: 1 } }
  }

  it('reports a leaver, and can excuse the player', async () => {
    const { matchyard, self, enters } = await reporting()
    await matchyard.servers.selfPlayerLeft({ ...self, playerId: 'ann' })
    await expect(enters('ann')).rejects.toMatchObject(cooling)
    await matchyard.servers.selfPlayerLeft({ ...self, playerId: 'cat', excused: true })
    expect(await enters('cat')).toMatchObject({ status: 'in_queue' })
  })

  it('that crashed makes nobody a leaver, until it is back', async () => {
    const { matchyard, clock, orchestrator, steps, self, party, enters } = await reporting()
    orchestrator.exit(self.instanceId, { code: 1 })
    await steps()
    await matchyard.lobbies.leave(party)
    expect(await enters('ann')).toMatchObject({ status: 'in_queue' })
    clock.advance(2_000)
    await steps()
    await steps()
    await matchyard.lobbies.leave({ ...party, playerId: 'cat' })
    await expect(enters('cat')).rejects.toMatchObject({ ...cooling, details: { players: ['cat'] } })
  })
})
