import { Machine } from '@matchyard/testkit/simulation'
import { describe, expect, it } from 'vitest'
import { type Service, service, settled } from './service'

const attempts = (machine: Machine) => machine.alive.map((process) => process.attempt)

/** Returns a running, ready server. */
async function running(given: Service, over: { autoRestart?: boolean } = {}) {
  const { matchyard, projectId, clock } = given
  const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena', ...over })
  await matchyard.worker.runDueJobs()
  clock.advance(1_000)
  await matchyard.worker.reconcileServers()
  const status = async () => (await matchyard.servers.get({ projectId, instanceId })).status
  expect(await status()).toBe('running')
  return { instanceId, status }
}

describe('a restart that the job and the reconciler carry out at once', () => {
  it('never forgets the process that the other has just spawned', async () => {
    const given = await service()
    const { matchyard, orchestrator, machine, clock, projectId } = given
    const { instanceId } = await running(given)
    await matchyard.servers.restart({ projectId, instanceId })
    await matchyard.worker.runDueJobs()
    clock.advance(1_000)
    const held = orchestrator.hold('forget', 'before')
    const job = matchyard.worker.runDueJobs()
    await held.reached
    const reconciling = matchyard.worker.reconcileServers()
    // The reconcile pass gets as far as it can while the job is held.
    await settled()
    held.release()
    await Promise.all([job, reconciling])
    expect(machine.misuse).toEqual([])
    expect(attempts(machine)).toEqual([2])
  })
})

describe('a reconcile whose look at the machine is older than the record', () => {
  it('does not take a server for dead that was spawned and found ready in between', async () => {
    const { matchyard, orchestrator, projectId } = await service()
    const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    const held = orchestrator.hold('observe', 'after')
    const reconciling = matchyard.worker.reconcileServers()
    await held.reached
    await matchyard.worker.runDueJobs()
    await matchyard.servers.selfReady({ projectId, instanceId, attempt: 1 })
    held.release()
    await reconciling
    expect(await matchyard.servers.get({ projectId, instanceId })).toMatchObject({ status: 'running', stoppedAt: null })
  })

  it('does not call a server stopped while its process is being spawned', async () => {
    const { matchyard, orchestrator, projectId, machine } = await service()
    const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    const held = orchestrator.hold('launch', 'before')
    const job = matchyard.worker.runDueJobs()
    await held.reached
    await matchyard.servers.stop({ projectId, instanceId })
    await matchyard.worker.reconcileServers()
    expect(await matchyard.servers.get({ projectId, instanceId })).toMatchObject({ status: 'stopping' })
    held.release()
    await job
    await matchyard.worker.reconcileServers()
    expect(machine.alive.map((process) => process.end?.signal)).toEqual(['SIGTERM'])
  })
})

describe('a node that dies between recording an attempt and spawning it', () => {
  async function abandoned() {
    const given = await service()
    const { matchyard, orchestrator, projectId } = given
    const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    const held = orchestrator.hold('launch', 'before')
    void matchyard.worker.runDueJobs()
    await held.reached
    return { ...given, instanceId }
  }

  it('goes on when it is back, long before the job that it held is free again', async () => {
    const { another, machine, instanceId, projectId, clock } = await abandoned()
    const { matchyard } = await another({ nodeId: 'node' })
    await matchyard.worker.reconcileServers()
    await matchyard.worker.runDueJobs()
    expect(attempts(machine)).toEqual([1])
    clock.advance(1_000)
    await matchyard.worker.reconcileServers()
    expect(await matchyard.servers.get({ projectId, instanceId })).toMatchObject({ status: 'running' })
  })

  it('and never comes back: another node ends the launch at its deadline', async () => {
    const { another, instanceId, projectId, clock } = await abandoned()
    const { matchyard } = await another({ nodeId: 'other', machine: new Machine('host-2') })
    clock.advance(60_000)
    await matchyard.worker.runDueJobs()
    expect(await matchyard.servers.get({ projectId, instanceId })).toMatchObject({
      status: 'failed',
      stopReason: 'was not running within 60 s',
    })
  })
})

describe('an attempt that was given up', () => {
  it('does not become ready after all', async () => {
    const { matchyard, orchestrator, projectId } = await service()
    const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    orchestrator.refusals.push({ ok: false, reason: 'retry', message: 'no memory' })
    const job = matchyard.worker.runDueJobs()
    const held = orchestrator.hold('forget', 'before')
    await held.reached
    const late = matchyard.servers.selfReady({ projectId, instanceId, attempt: 1 })
    await expect(late).rejects.toMatchObject({ code: 'INVALID_SERVER_STATE' })
    held.release()
    await job
    expect(await matchyard.servers.get({ projectId, instanceId })).toMatchObject({ status: 'launching', attempt: 2 })
  })
})

describe('a stray', () => {
  it('that runs beside the remains of an earlier attempt is stopped, not forgotten', async () => {
    const { matchyard, orchestrator, machine, clock } = await service()
    const spec = { instanceId: 'srv_unknown', networkPorts: [], config: {} }
    for (const attempt of [1, 2]) machine.spawn({ ...spec, attempt } as never, {}, clock.now())
    const [first] = machine.alive
    if (first !== undefined) machine.exit(first, 1, clock.now())
    await matchyard.worker.reconcileServers()
    expect(machine.misuse).toEqual([])
    clock.advance(1_000)
    await matchyard.worker.reconcileServers()
    expect(await orchestrator.observe()).toEqual([])
  })
})
