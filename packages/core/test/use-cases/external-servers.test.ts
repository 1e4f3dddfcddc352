import { createMatchyard, type ServerSettings } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'

const EXTERNAL: ServerSettings = { source: 'external', versionTag: 'overridden', region: 'fra' }
const PORTS = [{ name: 'game', protocol: 'udp', port: 27_015 }] as const

async function service(serverSettings: ServerSettings = EXTERNAL) {
  const clock = new FakeClock()
  const matchyard = createMatchyard({ ...fakePlatform({ clock, seed: 1 }), storage: memoryStorage() })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  const matchmaking = { teams: 2, playersPerTeam: 1 }
  await matchyard.queues.create({
    projectId,
    queueId: 'duel',
    name: 'Duel',
    lobbyTtlSeconds: 300,
    serverSettings,
    matchmaking,
  })
  const lobbyOf = async (playerId: string) => {
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId })
    const on = { projectId, lobbyId, playerId }
    return { ...on, on, now: () => matchyard.lobbies.get({ ...on, backend: true }) }
  }
  const [ann, bob] = [await lobbyOf('ann'), await lobbyOf('bob')]
  /** Matches the two lobbies with each other, and returns the match's id. */
  const matched = async () => {
    for (const { on } of [ann, bob]) await matchyard.lobbies.enqueue(on)
    await matchyard.matchmaking.runQueue(`${projectId}/duel`)
    await matchyard.worker.runDueJobs()
    return (await ann.now()).matchId ?? ''
  }
  const assign = (matchId: string, over: object = {}) =>
    matchyard.matches.assign({ projectId, matchId, host: 'eu.studio.example', ports: PORTS, ...over })
  return { clock, matchyard, projectId, ann, bob, matched, assign }
}

describe('a match on a server of the studio', () => {
  it('waits in matched until the backend tells where it is played; all of its lobbies are in the game then', async () => {
    const { matchyard, projectId, ann, bob, matched, assign } = await service()
    const matchId = await matched()
    for (const one of [ann, bob]) expect(await one.now()).toMatchObject({ status: 'matched', server: null, matchId })
    const before = await Promise.all([ann.now(), bob.now()])

    const assigned = await assign(matchId, { customData: { token: 'x' } })
    const server = {
      instanceId: `ext_${matchId.slice('mat_'.length)}`,
      region: 'fra',
      status: 'running',
      matchId,
      networkPorts: [
        {
          name: 'game',
          protocol: 'udp',
          internalPort: 27_015,
          externalPort: 27_015,
          host: 'eu.studio.example',
          tlsEnabled: false,
        },
      ],
    }
    expect(assigned).toEqual({ server, customData: { token: 'x' }, isNew: true, joinTokenKey: expect.any(String) })
    for (const [one, was] of [
      [ann, before[0]],
      [bob, before[1]],
    ] as const) {
      expect(await one.now()).toMatchObject({ status: 'in_game', server, version: (was?.version ?? 0) + 1 })
    }
    expect(await matchyard.matches.get({ projectId, matchId })).toMatchObject({ match: { status: 'running' }, server })
    // No server is launched, counted or metered.
    expect((await matchyard.servers.list({ projectId })).data).toEqual([])
  })

  it('takes the same again without a change, and another address for all of its lobbies at once', async () => {
    const { ann, bob, matched, assign } = await service()
    const matchId = await matched()
    await assign(matchId)
    const { version } = await ann.now()
    expect(await assign(matchId)).toMatchObject({ isNew: false })
    expect((await ann.now()).version).toBe(version)

    expect(await assign(matchId, { host: 'us.studio.example', region: 'iad' })).toMatchObject({ isNew: false })
    for (const one of [ann, bob]) {
      expect(await one.now()).toMatchObject({
        status: 'in_game',
        version: version + 1,
        server: { region: 'iad', networkPorts: [{ host: 'us.studio.example', externalPort: 27_015 }] },
      })
    }
    // Custom data, which players do not see, changes no lobby.
    await assign(matchId, { host: 'us.studio.example', region: 'iad', customData: { round: 2 } })
    expect((await ann.now()).version).toBe(version + 1)
  })

  it('is over when nobody tells in time, and its lobbies say so', async () => {
    const { clock, matchyard, ann, bob, matched, assign } = await service()
    const matchId = await matched()
    clock.advance(119_000)
    await matchyard.worker.runDueJobs()
    expect(await ann.now()).toMatchObject({ status: 'matched' })
    clock.advance(1_000)
    await matchyard.worker.runDueJobs()
    const lastExit = {
      reason: 'no_room',
      detail: expect.stringContaining('no server was assigned to the match within 120 s'),
    }
    for (const one of [ann, bob]) expect(await one.now()).toMatchObject({ status: 'waiting', matchId: null, lastExit })
    await expect(assign(matchId)).rejects.toMatchObject({ code: 'INVALID_MATCH_STATE' })
  })

  it('goes on past that time once it has a server, and its lobbies are not idle', async () => {
    const { clock, matchyard, projectId, ann, matched, assign } = await service()
    await assign(await matched())
    clock.advance(3_600_000)
    await matchyard.worker.runDueJobs()
    expect(await ann.now()).toMatchObject({ status: 'in_game' })
    await matchyard.lobbies.end({ projectId, lobbyId: ann.lobbyId, playerId: 'ann', backend: true })
    expect(await ann.now()).toMatchObject({ status: 'waiting', server: null, lastExit: { reason: 'backend_ended' } })
  })

  it('holds a direct start in starting', async () => {
    const { ann, matchyard, assign } = await service()
    const { matchId } = await matchyard.lobbies.start(ann.on)
    await matchyard.worker.runDueJobs()
    expect(await ann.now()).toMatchObject({ status: 'starting', server: null })
    await assign(matchId ?? '')
    expect(await ann.now()).toMatchObject({ status: 'in_game', server: { status: 'running' } })
  })

  it('is shown as ended afterwards', async () => {
    const { ann, matchyard, projectId, matched, assign } = await service()
    const matchId = await matched()
    await assign(matchId)
    await matchyard.lobbies.end({ projectId, lobbyId: ann.lobbyId, playerId: 'ann', backend: true })
    expect(await matchyard.matches.get({ projectId, matchId })).toMatchObject({ server: { status: 'stopped' } })
  })

  it('keeps its kind when the queue is changed meanwhile', async () => {
    const { matchyard, projectId, ann, matched, assign } = await service()
    const matchId = await matched()
    await matchyard.queues.update({ projectId, queueId: 'duel', changes: { serverSettings: {} } })
    await matchyard.worker.runDueJobs()
    expect(await ann.now()).toMatchObject({ status: 'matched' })
    await assign(matchId)
    expect(await ann.now()).toMatchObject({ status: 'in_game' })
  })
})

it('a match without such a server takes none', async () => {
  const { ann, matched, assign } = await service({})
  const matchId = await matched()
  expect(await ann.now()).toMatchObject({ status: 'in_game', server: null })
  await expect(assign(matchId)).rejects.toMatchObject({ code: 'INVALID_MATCH_STATE' })
})

it.each([
  ['an empty host', { host: '' }, 'host'],
  ['a host with a space', { host: 'a b' }, 'host'],
  ['a port out of range', { ports: [{ name: 'game', protocol: 'udp', port: 70_000 }] }, 'ports.0.port'],
  ['names that are one variable', { ports: [{ ...PORTS[0] }, { ...PORTS[0], name: 'GAME' }] }, 'ports.1.name'],
])('%s is refused', async (_, over, path) => {
  const { matched, assign } = await service()
  await expect(assign(await matched(), over)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    details: { issues: [{ path }] },
  })
})

describe('where nothing can be launched', () => {
  it('a queue with a build goes on to the game all the same', async () => {
    const { ann, matched } = await service({ versionTag: 'arena' })
    await matched()
    expect(await ann.now()).toMatchObject({ status: 'in_game', server: null })
  })

  it('nor is a build asked for by the version of the players', async () => {
    const { matchyard, projectId, ann } = await service({ versionTag: 'arena' })
    const matchmaking = { teams: 2, playersPerTeam: 1, useVersionFromState: true }
    await matchyard.queues.update({ projectId, queueId: 'duel', changes: { matchmaking } })
    await matchyard.lobbies.updatePlayer({
      projectId,
      lobbyId: ann.lobbyId,
      playerId: 'ann',
      targetPlayerId: 'ann',
      state: { game_version: 'v1' },
    })
    expect(await matchyard.lobbies.enqueue(ann.on)).toMatchObject({ status: 'in_queue' })
  })
})
