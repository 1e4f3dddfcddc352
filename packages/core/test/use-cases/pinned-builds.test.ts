import { createMatchyard, type ServerSettings } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { expect, it } from 'vitest'

/** Returns two versions of the build `arena`, one of `other`, and a queue that uses `arena`. */
async function withBuilds(settings: ServerSettings = {}, matchmaking: object = {}) {
  const clock = new FakeClock()
  const orchestrator = new FakeOrchestrator(clock)
  const matchyard = createMatchyard({ ...fakePlatform({ clock, seed: 1 }), storage: memoryStorage(), orchestrator })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  const builds: string[] = []
  for (const name of ['arena', 'arena', 'other']) {
    builds.push((await matchyard.builds.registerImage({ projectId, name, imageUrl: 'games/x:1' })).id)
    clock.advance(1)
  }
  await matchyard.worker.runDueJobs()
  const [first = '', second = ''] = builds
  const serverSettings = (more: ServerSettings): ServerSettings => ({ versionTag: 'arena', ...more })
  const on = { projectId, queueId: 'duel' }
  const created = await matchyard.queues.create({
    ...on,
    name: 'Duel',
    serverSettings: serverSettings(settings),
    matchmaking: { teams: 2, playersPerTeam: 1, ...matchmaking },
  })
  const pin = (version: number | null) =>
    matchyard.queues.update({ ...on, changes: { serverSettings: serverSettings({ version }) } })
  const disable = (buildId: string, disabled = true) =>
    matchyard.builds.update({ projectId, buildId, changes: { disabled } })
  let lobbies = 0
  const start = async (state: { game_version?: string } = {}) => {
    const playerId = `ann-${lobbies++}`
    const { id: lobbyId } = await matchyard.lobbies.create({ ...on, playerId, state })
    await matchyard.lobbies.start({ projectId, lobbyId, playerId })
    await matchyard.worker.runDueJobs()
    await matchyard.worker.reconcileServers()
    const [server] = (await matchyard.servers.list({ projectId })).data
    return server
  }
  return { matchyard, projectId, on, created, first, second, pin, disable, start }
}

it('a queue launches the version that it pins, and the newest again once it pins none', async () => {
  const { created, pin, start, second, first } = await withBuilds({ version: 1 })
  expect(created.warnings).toBeUndefined()
  expect(await start()).toMatchObject({ status: 'running', buildId: first, buildVersion: 1 })
  await pin(null)
  expect(await start()).toMatchObject({ status: 'running', buildId: second, buildVersion: 2 })
})

it.each([
  [9, 'there is no version 9 of the build arena'],
  [2, 'version 2 of the build arena is disabled'],
])('version %s, which cannot be launched, fails the launch and says so', async (version, why) => {
  const { matchyard, on, projectId, pin, disable, second, start } = await withBuilds()
  await disable(second)
  expect((await pin(version)).warnings).toEqual([
    `${why} (\`serverSettings.version\`): matches of this queue get no server until that version is ready and enabled`,
  ])
  expect(await matchyard.problems.list({ projectId })).toMatchObject([
    { code: 'build_not_ready', subject: { kind: 'queue', id: on.queueId }, sentence: expect.stringContaining(why) },
  ])
  expect(await start()).toMatchObject({ status: 'failed', stopReason: `BUILD_NOT_READY: ${why}` })
})

it('a disabled build launches nothing new and ends nothing, until it is enabled', async () => {
  const { matchyard, projectId, disable, first, second, start } = await withBuilds()
  const before = await start()
  expect(await disable(second)).toMatchObject({ id: second, disabled: true, status: 'ready' })
  expect(await start()).toMatchObject({ buildId: first })
  await disable(first)
  expect(await start()).toMatchObject({
    stopReason: 'BUILD_NOT_READY: every ready version of the build arena is disabled',
  })
  await expect(matchyard.servers.create({ projectId, versionTag: 'arena' })).rejects.toMatchObject({
    code: 'BUILD_NOT_READY',
  })
  expect(await matchyard.servers.get({ projectId, instanceId: before?.id ?? '' })).toMatchObject({ status: 'running' })
  await disable(second, false)
  expect(await start()).toMatchObject({ buildId: second })
})

it('a build that players name is launched in its newest version, unless it is the one that is pinned', async () => {
  const { start } = await withBuilds({ version: 1 }, { useVersionFromState: true })
  expect(await start({ game_version: 'other' })).toMatchObject({ versionTag: 'other', buildVersion: 1 })
  expect(await start({ game_version: 'arena' })).toMatchObject({ versionTag: 'arena', buildVersion: 1 })
})

it.each([
  [0, { versionTag: 'arena', version: 0 }],
  ['without a name', { version: 1 }],
])('refuses a version that can be none: %s', async (_, serverSettings) => {
  const { matchyard, on } = await withBuilds()
  await expect(matchyard.queues.update({ ...on, changes: { serverSettings } })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    details: { issues: [{ path: 'serverSettings.version' }] },
  })
})
