import { createMatchyard, ServiceError } from '@matchyard/core'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeOrchestrator, fakePlatform, type LaunchScript } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'

const LACKS = 'udp 7777 is not bound'
const launchTimeoutMs = 20_000

interface Given {
  /** Results of the attempts, from the first one on; the last entry applies to all later attempts. */
  readonly attempts?: readonly LaunchScript[]
  readonly autoRestart?: boolean
  readonly readiness?: 'port' | 'self'
  readonly stopGraceSeconds?: number
}

/** Returns a node with a running server and two players on it. */
async function running({ attempts = ['ready'], ...given }: Given = {}) {
  const clock = new FakeClock()
  const data = emptyMemoryData()
  const orchestrator = new FakeOrchestrator(clock)
  orchestrator.script = ({ attempt }) => attempts[Math.min(attempt, attempts.length) - 1] ?? 'ready'
  let seed = 0
  const start = async () => {
    const platform = fakePlatform({ clock, seed: ++seed })
    const matchyard = createMatchyard({
      ...{ ...platform, storage: memoryStorage({ data }), orchestrator, nodeId: 'one', launchTimeoutMs },
    })
    await matchyard.open()
    return matchyard
  }
  let matchyard = await start()
  const { id: projectId, accountId } = await matchyard.projects.ensure({ name: 'arena' })
  await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
  await matchyard.worker.runDueJobs()
  const look = async () => {
    await matchyard.worker.runDueJobs()
    await matchyard.worker.reconcileServers().catch(() => {})
    await matchyard.worker.runDueJobs()
  }
  /** Lets time pass with a check every second, as a node's loop does. */
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1_000)
      await look()
    }
  }
  const serverSettings = { versionTag: 'arena', autoRestart: true, ...given }
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', serverSettings })
  const lobby = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
  await matchyard.lobbies.start({ projectId, lobbyId: lobby.id, playerId: 'ann' })
  await look()
  const instanceId = (await matchyard.servers.list({ projectId })).data[0]?.id ?? ''
  const server = () => matchyard.servers.get({ projectId, instanceId })
  if ((await server()).status !== 'running') await matchyard.servers.selfReady({ projectId, instanceId, attempt: 1 })
  expect(await server()).toMatchObject({ status: 'running', attempt: 1 })
  return {
    clock,
    orchestrator,
    look,
    pass,
    server,
    on: { projectId, instanceId },
    lobby: () => matchyard.lobbies.get({ projectId, lobbyId: lobby.id, backend: true }),
    calls: () => matchyard.servers,
    usage: () => matchyard.billing.usage({ accountId }),
    /** Stops the node, and starts it again after a number of seconds. */
    reborn: async (seconds: number) => {
      clock.advance(seconds * 1_000)
      matchyard = await start()
    },
  }
}

describe('a restart that does not come up', () => {
  it('fails a server that is not restarted by itself at the launch timeout, with what it lacked', async () => {
    const { calls, on, pass, server, orchestrator, lobby } = await running({
      attempts: ['ready', { waitsFor: LACKS }],
      autoRestart: false,
    })
    await calls().restart(on)
    await pass(20)
    expect(await server()).toMatchObject({ status: 'running', attempt: 2, relaunchAt: null })
    await pass(2)
    const stopReason = `was not ready within 20 s of its restart: ${LACKS}`
    expect(await server()).toMatchObject({ status: 'failed', exitCode: null, stopReason })
    // The players learn the reason, and no process is left.
    expect(await lobby()).toMatchObject({
      status: 'waiting',
      lastExit: { reason: 'server_failed', detail: stopReason },
    })
    await pass(2)
    expect(await orchestrator.observe()).toEqual([])
  })

  it('is a crash as any other, and the next one may come up', async () => {
    const { pass, server, orchestrator, on, lobby } = await running({
      attempts: ['ready', { waitsFor: LACKS }, 'ready'],
    })
    orchestrator.exit(on.instanceId, { code: 1 })
    await pass(23)
    expect(await server()).toMatchObject({ status: 'running', attempt: 3, crashesInARow: 2, restarts: 2 })
    // The process is stopped while the next one waits for its backoff.
    expect((await orchestrator.observe()).filter(({ state }) => state !== 'exited')).toEqual([])
    await pass(3)
    expect(await server()).toMatchObject({ status: 'running', attempt: 3, relaunchAt: null })
    expect(await server()).not.toHaveProperty('comingUp')
    expect((await lobby()).status).toBe('in_game')
    await pass(120)
    expect(await server()).toMatchObject({ status: 'running', attempt: 3 })
  })

  it('five times in a row is the end, and each second until then is billed once', async () => {
    const { pass, server, orchestrator, on, usage } = await running({
      attempts: ['ready', { waitsFor: LACKS }],
    })
    const { runningAt } = await server()
    await pass(70)
    orchestrator.exit(on.instanceId, { code: 1 })
    await pass(200)
    const ended = await server()
    expect(ended).toMatchObject({
      status: 'failed',
      restarts: 5,
      stopReason: `crashed 6 times in a row; the last time it was not ready within 20 s of its restart: ${LACKS}`,
    })
    const seconds = ((ended.stoppedAt ?? 0) - (runningAt ?? 0)) / 1_000
    // The sum of 70 s, five launch timeouts, backoffs of 1 + 2 + 4 + 8 + 16 s, and the time between checks.
    expect(seconds).toBeGreaterThanOrEqual(70 + 100 + 31)
    expect(seconds).toBeLessThanOrEqual(70 + 100 + 31 + 20)
    const { totalMicroUsd } = await usage()
    expect(totalMicroUsd).toBe(Math.round((seconds * 25_000) / 3_600))
    await pass(60)
    expect(await usage()).toMatchObject({ totalMicroUsd })
  })

  it('has the whole time once it is spawned, however long the process before it took to end', async () => {
    const { calls, on, pass, server, orchestrator } = await running({ attempts: ['ready', 'starting'] })
    const { stop } = orchestrator
    orchestrator.stop = async () => {}
    await calls().restart(on)
    await pass(15)
    expect(orchestrator.launches).toHaveLength(1)
    orchestrator.stop = stop
    await pass(18)
    expect(await server()).toMatchObject({ attempt: 2, crashesInARow: 0 })
    orchestrator.makeReady(on.instanceId)
    await pass(60)
    expect(await server()).toMatchObject({ status: 'running', attempt: 2, crashesInARow: 0 })
  })

  it('gives the earlier process the grace period of its queue on top', async () => {
    const { calls, on, pass, server, orchestrator } = await running({ stopGraceSeconds: 60 })
    const { stop } = orchestrator
    orchestrator.stop = async () => {}
    await calls().restart(on)
    await pass(75)
    expect(await server()).toMatchObject({ status: 'running', crashesInARow: 0 })
    orchestrator.stop = stop
    await pass(3)
    expect(await server()).toMatchObject({ status: 'running', attempt: 2, crashesInARow: 0 })
  })

  it('is ready when the orchestrator says so at the very last look', async () => {
    const { calls, on, pass, server, orchestrator } = await running({
      attempts: ['ready', 'starting'],
      autoRestart: false,
    })
    await calls().restart(on)
    await pass(20)
    const old = await orchestrator.observe()
    const { observe } = orchestrator
    orchestrator.makeReady(on.instanceId)
    // The observation of all servers is older than that of this server alone.
    orchestrator.observe = async (of?: string) => (of === undefined ? old : observe.call(orchestrator))
    await pass(5)
    expect(await server()).toMatchObject({ status: 'running', attempt: 2 })
    expect(await server()).not.toHaveProperty('comingUp')
  })
})

describe('a restart that cannot be spawned', () => {
  it('for want of its room is a crash at the launch timeout', async () => {
    const { calls, on, pass, server } = await running({ attempts: ['ready', 'no_room'], autoRestart: false })
    await calls().restart(on)
    await pass(19)
    expect(await server()).toMatchObject({ status: 'running', attempt: 2 })
    await pass(3)
    expect(await server()).toMatchObject({
      status: 'failed',
      stopReason: 'was not started again within 20 s: the script says no_room',
    })
  })

  it('because the process before it does not end is a crash as well', async () => {
    const { calls, on, pass, server, orchestrator } = await running({ autoRestart: false })
    orchestrator.stop = async () => {}
    await calls().restart(on)
    await pass(23)
    expect(await server()).toMatchObject({
      status: 'failed',
      stopReason: 'was not started again within 20 s: its earlier process has not ended',
    })
  })

  it('waits as long as what it needs is away, and has the whole time from then on', async () => {
    const { calls, on, pass, server, orchestrator } = await running({ attempts: ['ready', 'away'], autoRestart: false })
    await calls().restart(on)
    await pass(300)
    expect(await server()).toMatchObject({ status: 'running', attempt: 2, crashesInARow: 0 })
    orchestrator.script = () => 'no_room'
    await pass(19)
    expect(await server()).toMatchObject({ status: 'running', attempt: 2 })
    await pass(3)
    expect(await server()).toMatchObject({ status: 'failed' })
  })
})

describe('what nobody could see', () => {
  it('counts against nobody: the platform may be away for as long as it likes', async () => {
    const { calls, on, pass, server, orchestrator } = await running({
      attempts: ['ready', { waitsFor: LACKS }],
      autoRestart: false,
    })
    await calls().restart(on)
    await pass(10)
    const { observe } = orchestrator
    orchestrator.observe = async () => {
      throw new ServiceError('UNAVAILABLE', 'the platform is away')
    }
    await pass(600)
    expect(await server()).toMatchObject({ status: 'running', attempt: 2 })
    orchestrator.observe = observe
    await pass(8)
    expect(await server()).toMatchObject({ status: 'running', attempt: 2 })
    await pass(6)
    expect(await server()).toMatchObject({ status: 'failed' })
  })

  it('counts against nobody: a node that was down has seen nothing', async () => {
    const { calls, on, pass, server, look, reborn } = await running({
      attempts: ['ready', { waitsFor: LACKS }],
      autoRestart: false,
    })
    await calls().restart(on)
    await pass(15)
    await reborn(3_600)
    await look()
    await pass(19)
    expect(await server()).toMatchObject({ status: 'running', attempt: 2 })
    await pass(3)
    expect(await server()).toMatchObject({ status: 'failed' })
  })

  it('counts against nobody: nor has one that stood still', async () => {
    const { calls, on, pass, server, clock, look } = await running({
      attempts: ['ready', 'starting'],
      autoRestart: false,
    })
    await calls().restart(on)
    await pass(5)
    clock.advance(3_600_000)
    await look()
    expect(await server()).toMatchObject({ status: 'running', attempt: 2 })
    await calls().selfReady({ ...on, attempt: 2 })
    await pass(60)
    expect(await server()).toMatchObject({ status: 'running', attempt: 2 })
  })
})

describe('a server that says itself when it is ready', () => {
  it('says so again after a restart', async () => {
    const { calls, on, pass, server } = await running({ attempts: ['starting'], readiness: 'self', autoRestart: false })
    await pass(120)
    expect(await server()).toMatchObject({ status: 'running', attempt: 1 })
    await calls().restart(on)
    await pass(15)
    await calls().selfReady({ ...on, attempt: 2 })
    await calls().selfReady({ ...on, attempt: 2 })
    await pass(120)
    expect(await server()).toMatchObject({ status: 'running', attempt: 2 })
  })

  it('and has failed where it does not', async () => {
    const { calls, on, pass, server } = await running({ attempts: ['starting'], readiness: 'self', autoRestart: false })
    await calls().restart(on)
    await pass(22)
    expect(await server()).toMatchObject({
      status: 'failed',
      stopReason: 'was not ready within 20 s of its restart',
    })
  })
})

describe('a server that is not restarted', () => {
  it('runs for as long as it likes, whatever is seen of it', async () => {
    // The server became ready by its own call: the platform never reports it as ready.
    const { pass, server } = await running({ attempts: [{ waitsFor: LACKS }] })
    await pass(300)
    expect(await server()).toMatchObject({ status: 'running', attempt: 1, crashesInARow: 0 })
  })

  it('is stopped as ever in the middle of a restart', async () => {
    const { calls, on, pass, server } = await running({ attempts: ['ready', { waitsFor: LACKS }] })
    await calls().restart(on)
    await pass(18)
    await calls().stop(on)
    await pass(30)
    expect(await server()).toMatchObject({ status: 'stopped', stopReason: 'stopped by request' })
  })
})
