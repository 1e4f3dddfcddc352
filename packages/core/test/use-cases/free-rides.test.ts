import { createMatchyard, type MatchyardOptions } from '@matchyard/core'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'

const matchmaking = { teams: 2, playersPerTeam: 1 } as const
const launchTimeoutMs = 20_000

/** Returns a node whose orchestrator shares the test's clock. */
async function aNode(more: Partial<MatchyardOptions> = {}) {
  const clock = new FakeClock()
  const data = emptyMemoryData()
  const orchestrator = new FakeOrchestrator(clock)
  let seed = 0
  const start = async () => {
    const options = { storage: memoryStorage({ data }), orchestrator, nodeId: 'one', launchTimeoutMs, ...more }
    const matchyard = createMatchyard({ ...fakePlatform({ clock, seed: ++seed }), ...options })
    await matchyard.open()
    return matchyard
  }
  let matchyard = await start()
  const account = await matchyard.accounts.create({ email: 'ann@example.com', password: 'correct horse', name: 'Ann' })
  const accountId = account.id
  const { project } = await matchyard.projects.create({ accountId, name: 'arena' })
  const projectId = project.id
  await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
  await matchyard.worker.runDueJobs()
  const look = async () => {
    await matchyard.worker.runDueJobs()
    await matchyard.worker.reconcileServers().catch(() => {})
  }
  /** Lets time pass with a check every half second, as a node's loop does. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 500) {
      clock.advance(500)
      await look()
    }
  }
  return {
    ...{ clock, orchestrator, data, projectId, accountId, look, pass },
    get matchyard() {
      return matchyard
    },
    async restart() {
      matchyard = await start()
    },
    /** Returns the seconds that commits added up. */
    seconds: () => [...(data.usage.get(accountId)?.values() ?? [])].reduce((sum, { seconds }) => sum + seconds, 0),
    launch: () => matchyard.servers.create({ projectId, versionTag: 'arena' }),
  }
}

describe('an attempt that never ran', () => {
  it('is metered from the start of its process to its launch timeout', async () => {
    const { orchestrator, launch, look, pass, seconds, matchyard, projectId } = await aNode()
    orchestrator.script = () => 'starting'
    const { id } = await launch()
    await look()
    expect(seconds()).toBe(0)
    await pass(launchTimeoutMs + 3_000)
    expect(await matchyard.servers.get({ projectId, instanceId: id })).toMatchObject({
      status: 'failed',
      runningAt: null,
    })
    expect(seconds()).toBe(launchTimeoutMs / 1_000)
  })

  it('is metered to its end, each by itself', async () => {
    const { orchestrator, launch, look, clock, seconds } = await aNode()
    orchestrator.script = () => 'starting'
    const { id } = await launch()
    for (const ms of [1_500, 2_500, 3_000]) {
      await look()
      clock.advance(ms)
      orchestrator.exit(id, { code: 1 })
      await look()
    }
    await look()
    // Three attempts of 1.5 s, 2.5 s and 3 s: a begun second counts in full.
    expect(seconds()).toBe(2 + 3 + 3)
  })

  it('is metered to its end where it was asked to stop', async () => {
    const { orchestrator, launch, look, clock, seconds, matchyard, projectId } = await aNode()
    orchestrator.script = () => 'starting'
    const { id } = await launch()
    await look()
    clock.advance(4_000)
    await matchyard.servers.stop({ projectId, instanceId: id })
    await look()
    await look()
    expect(await matchyard.servers.get({ projectId, instanceId: id })).toMatchObject({ status: 'stopped' })
    expect(seconds()).toBe(4)
  })

  it.each(['retry', 'final', 'address_in_use'] as const)(
    'costs nothing where nothing was started: %s',
    async (answer) => {
      const { orchestrator, launch, pass, seconds } = await aNode()
      orchestrator.script = () => answer
      await launch()
      await pass(launchTimeoutMs + 1_000)
      expect(seconds()).toBe(0)
    },
  )

  it('of one that ran later is metered beside it, and no second twice', async () => {
    const { orchestrator, launch, look, clock, seconds } = await aNode()
    orchestrator.script = ({ attempt }) => (attempt === 1 ? 'starting' : 'ready')
    const { id } = await launch()
    await look()
    clock.advance(2_000)
    orchestrator.exit(id, { code: 1 })
    await look()
    await look()
    clock.advance(10_000)
    orchestrator.exit(id)
    await look()
    expect(seconds()).toBe(12)
  })
})

describe('servers that wait for their match', () => {
  const waiting = async (buffer: number, more: Partial<MatchyardOptions> = {}) => {
    const node = await aNode(more)
    const { matchyard, projectId, look } = node
    const serverSettings = { versionTag: 'arena', warm: { buffer } }
    await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', matchmaking, serverSettings })
    await look()
    return node
  }

  it('are metered from when they are ready', async () => {
    const { pass, seconds } = await waiting(2)
    await pass(10_000)
    expect(seconds()).toBe(20)
  })

  it('are metered on where one is taken, until the match’s server runs, and that from then on: no gap and no overlap', async () => {
    const { pass, seconds, matchyard, projectId, look, orchestrator, clock } = await waiting(1)
    orchestrator.script = () => 'starting'
    await pass(5_000)
    for (const playerId of ['ann', 'bob']) {
      const lobby = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId })
      await matchyard.lobbies.enqueue({ projectId, lobbyId: lobby.id, playerId })
    }
    // No new warm server may replace the taken one, so that all seconds belong to one server.
    await matchyard.matchmaking.runQueue(`${projectId}/duel`)
    await matchyard.queues.update({ projectId, queueId: 'duel', changes: { serverSettings: { versionTag: 'arena' } } })
    await look()
    await pass(3_000)
    expect(seconds()).toBe(5)
    const { instanceId } = orchestrator.launches[0] ?? { instanceId: '' }
    orchestrator.makeReady(instanceId)
    await look()
    expect(seconds()).toBe(8)
    expect(await matchyard.servers.get({ projectId, instanceId })).toMatchObject({ status: 'running', fromWarm: true })
    clock.advance(4_000)
    orchestrator.exit(instanceId)
    await look()
    await pass(2_000)
    expect(seconds()).toBe(12)
  })

  it('are metered on after a restart of the service, from when they were last seen', async () => {
    const { pass, seconds, restart, look, clock } = await waiting(1)
    await pass(5_000)
    clock.advance(60_000)
    await restart()
    await look()
    expect(seconds()).toBe(65)
  })

  it('stopped when they were last seen', async () => {
    const { pass, seconds, orchestrator, clock, matchyard, projectId, look } = await waiting(1)
    await pass(5_000)
    await matchyard.queues.update({ projectId, queueId: 'duel', changes: { enabled: false } })
    orchestrator.waiting = []
    clock.advance(3_000)
    await look()
    expect(seconds()).toBe(5)
  })

  it('have what the plan leaves of its servers, and give way to a launch', async () => {
    const { orchestrator, look, launch, matchyard, projectId } = await waiting(3, {
      operatorLimits: { maxConcurrentServers: 2 },
    })
    expect(orchestrator.waiting).toHaveLength(2)
    const { id } = await launch()
    await look()
    await look()
    expect(orchestrator.waiting).toHaveLength(1)
    await launch()
    await look()
    expect(orchestrator.waiting).toHaveLength(0)
    await expect(launch()).rejects.toMatchObject({ code: 'PLAN_LIMIT_EXCEEDED' })
    await matchyard.servers.stop({ projectId, instanceId: id })
    await look()
    await look()
    expect(orchestrator.waiting).toHaveLength(1)
  })
})
