import { createMatchyard } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'

const SECOND = 1_000

/** Returns a node with a ready build, a queue of two teams that launches it, and the calls of the tests. */
async function arena() {
  const clock = new FakeClock()
  const orchestrator = new FakeOrchestrator(clock)
  const storage = memoryStorage()
  const matchyard = createMatchyard({ ...fakePlatform({ clock, seed: 1 }), storage, orchestrator })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  const work = async () => {
    for (let round = 0; round < 4; round++) {
      await matchyard.worker.runDueJobs()
      await matchyard.worker.reconcileServers()
    }
  }
  const register = async () => {
    const build = await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
    await work()
    return build
  }
  const { id: buildId } = await register()
  await matchyard.queues.create({
    ...{ projectId, queueId: 'duel', name: 'Duel' },
    matchmaking: { teams: 2, playersPerTeam: 2 },
    serverSettings: { versionTag: 'arena' },
  })
  let players = 0
  const queued = async () => {
    const playerId = `p${++players}`
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId })
    const on = { projectId, lobbyId, playerId }
    await matchyard.lobbies.enqueue(on)
    return { ...on, now: () => matchyard.lobbies.get({ ...on, backend: true }) }
  }
  const play = async () => {
    const lobbies = [await queued(), await queued(), await queued(), await queued()] as const
    clock.advance(6 * SECOND)
    await matchyard.matchmaking.runQueue(`${projectId}/duel`)
    await work()
    const { matchId } = await lobbies[0].now()
    return { lobbies, matchId: String(matchId) }
  }
  const launch = async () => {
    const { id } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    await work()
    return id
  }
  const server = (instanceId: string) => matchyard.servers.get({ projectId, instanceId })
  const build = () => matchyard.builds.get({ projectId, buildId })
  const change = (changes: { disabled?: boolean; drain?: boolean }) =>
    matchyard.builds.update({ projectId, buildId, changes })
  return {
    matchyard,
    storage,
    clock,
    orchestrator,
    projectId,
    buildId,
    register,
    work,
    play,
    launch,
    server,
    build,
    change,
  }
}

describe('a drain of a build', () => {
  it('stops its servers without a match, closes its matches, and ends with its last server', async () => {
    const { matchyard, clock, projectId, play, launch, server, build, change, work } = await arena()
    const idle = await launch()
    const { matchId, lobbies } = await play()
    const began = clock.now()
    expect(await change({ drain: true })).toMatchObject({ disabled: true, drainingSince: began, drainedAt: null })
    await work()
    expect(await server(idle)).toMatchObject({ status: 'stopped', endReason: 'server_stopped' })
    const { match } = await matchyard.matches.get({ projectId, matchId })
    expect(match).toMatchObject({ status: 'running', closedAt: began })
    await matchyard.lobbies.leave(lobbies[0])
    await expect(matchyard.matches.backfill({ projectId, matchId })).rejects.toMatchObject({
      code: 'INVALID_MATCH_STATE',
    })
    clock.advance(60 * SECOND)
    await work()
    expect(await build()).toMatchObject({ drainingSince: began, drainedAt: null })
    await matchyard.servers.stop({ projectId, instanceId: String(match.serverId) })
    await work()
    clock.advance(15 * SECOND)
    await work()
    expect(await build()).toMatchObject({ drainedAt: clock.now() })
  })

  it('lets no server be launched, and ends when the build is enabled', async () => {
    const { matchyard, projectId, change, build, launch, server, work, clock } = await arena()
    await change({ drain: true })
    await expect(matchyard.servers.create({ projectId, versionTag: 'arena' })).rejects.toMatchObject({
      code: 'BUILD_NOT_READY',
    })
    await work()
    clock.advance(15 * SECOND)
    await work()
    expect((await build()).drainedAt).toEqual(expect.any(Number))
    expect(await change({ disabled: false })).toMatchObject({ disabled: false, drainingSince: null, drainedAt: null })
    const id = await launch()
    expect((await server(id)).status).toBe('running')
    // The jobs of the earlier drain change nothing.
    clock.advance(60 * SECOND)
    await work()
    expect((await server(id)).status).toBe('running')
  })

  it('stops no server after it was ended, and begins anew', async () => {
    const { change, launch, server, work, build } = await arena()
    const id = await launch()
    await change({ drain: true })
    await change({ drain: false })
    await work()
    expect((await server(id)).status).toBe('running')
    expect(await build()).toMatchObject({ disabled: true, drainingSince: null })
    await change({ drain: true })
    await work()
    expect((await server(id)).status).toBe('stopped')
  })

  it('is refused together with enabling the build, and for what is no truth value', async () => {
    const { change } = await arena()
    await expect(change({ drain: true, disabled: false })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await expect(change({ drain: 'yes' as never })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  it('loses no server that is launched at the same time', async () => {
    const { matchyard, projectId, change, work, clock } = await arena()
    const { id } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    await Promise.all([matchyard.worker.runDueJobs(), change({ drain: true })])
    await work()
    clock.advance(60 * SECOND)
    await work()
    expect((await matchyard.servers.get({ projectId, instanceId: id })).status).not.toBe('running')
  })
})

describe('a stop of all servers of a build', () => {
  it('stops all servers of a build in pages, and none that was launched later', async () => {
    const { matchyard, projectId, buildId, clock, launch, server, work, play } = await arena()
    const { matchId } = await play()
    const ids: string[] = []
    for (let n = 0; n < 60; n++) ids.push((await matchyard.servers.create({ projectId, versionTag: 'arena' })).id)
    await work()
    expect(await matchyard.builds.stop({ projectId, buildId })).toEqual({ buildId, servers: 61 })
    clock.advance(1)
    const later = await launch()
    await work()
    for (const id of ids) expect((await server(id)).endReason).toBe('server_stopped')
    expect((await server(later)).status).toBe('running')
    const { match } = await matchyard.matches.get({ projectId, matchId })
    expect(match.ending).toMatchObject({ reason: 'server_stopped' })
    expect(await matchyard.builds.stop({ projectId, buildId })).toEqual({ buildId, servers: 1 })
  })

  it('is refused for a deleted build', async () => {
    const { matchyard, projectId, buildId } = await arena()
    await matchyard.builds.delete({ projectId, buildId })
    await expect(matchyard.builds.stop({ projectId, buildId })).rejects.toMatchObject({ code: 'BUILD_NOT_FOUND' })
  })
})

describe('the end of a server', () => {
  it('has a cause, by which servers are listed and which the history counts', async () => {
    const { matchyard, projectId, buildId, orchestrator, launch, server, work, storage, clock } = await arena()
    const [calm, crashed, stopped] = [await launch(), await launch(), await launch()]
    orchestrator.exit(calm, { code: 0 })
    orchestrator.exit(crashed, { code: 3 })
    await matchyard.servers.stop({ projectId, instanceId: stopped })
    await work()
    const causes = await Promise.all([calm, crashed, stopped].map(async (id) => (await server(id)).endReason))
    expect(causes).toEqual(['match_ended', 'server_failed', 'server_stopped'])
    const list = async (filter: object) =>
      (await matchyard.servers.list({ projectId, ...filter })).data.map(({ id }) => id)
    expect(await list({ endReason: 'server_failed' })).toEqual([crashed])
    expect(await list({ endReason: 'server_failed', buildVersion: 'arena@1' })).toEqual([crashed])
    expect(await list({ endReason: 'launch_failed', buildId })).toEqual([])
    const to = Math.ceil((clock.now() + 1) / 60_000) * 60_000
    const query = { projectId, series: 'ends', step: 60_000, from: to - 10 * 60_000, to, limit: 10 } as const
    const cells = await storage.history.read(query)
    expect(cells.map(({ key, count }) => [key, count])).toEqual([
      ['arena@1/match_ended', 1],
      ['arena@1/server_failed', 1],
      ['arena@1/server_stopped', 1],
    ])
  })
})

describe('the author of a build', () => {
  it('is the program, a key by its name, or an account', async () => {
    const { matchyard, projectId } = await arena()
    const image = { projectId, name: 'arena', imageUrl: 'games/arena:2' }
    expect((await matchyard.builds.registerImage(image)).createdBy).toEqual({ kind: 'embedded', id: null, name: null })
    const by = { kind: 'session', id: 'acc_eve' } as const
    expect((await matchyard.builds.registerImage({ ...image, by })).createdBy).toEqual({ ...by, name: null })
    const upload = { projectId, name: 'arena', executablePath: 'server', by: { kind: 'key', id: 'key_none' } } as const
    expect((await matchyard.builds.createUpload(upload)).build.createdBy).toEqual({ ...upload.by, name: null })
  })
})
