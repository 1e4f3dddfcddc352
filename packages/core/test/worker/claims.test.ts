import type { Storage } from '@matchyard/core/ports'
import { Machine } from '@matchyard/testkit/simulation'
import { describe, expect, it } from 'vitest'
import { JOB_LEASE_MS } from '../../src/node/job-lease'
import { LANES } from '../../src/worker/lanes'
import { type Service, service, settled } from '../use-cases/service'

/** Returns a storage that renews no claims, as those of a dead or stalled node. */
const renewsNothing = (storage: Storage) => ({
  jobs: { ...storage.jobs, renew: async (jobs: Parameters<Storage['jobs']['renew']>[0]) => [...jobs] },
})

/** Lets time pass in small steps, and lets pending work run. */
async function live({ clock }: Service, ms: number, stepMs = 100): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    clock.advance(stepMs)
    for (let turn = 0; turn < 3; turn++) await settled()
  }
}

/** Returns a launch that its node has recorded and not yet spawned. */
async function launchUnderWay(around?: Parameters<typeof service>[0]) {
  const given = await service(around)
  const { matchyard, projectId, orchestrator } = given
  const launch = orchestrator.hold('launch', 'before')
  const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
  const working = matchyard.worker.runDueJobs()
  await launch.reached
  return { ...given, instanceId, launch, working }
}

describe('claims', () => {
  it('of a node that died run out within five seconds, and its launch goes on elsewhere under an attempt of its own', async () => {
    const given = await launchUnderWay(renewsNothing)
    const { projectId, instanceId, clock } = given
    const machine = new Machine('host-2')
    const other = await given.another({ nodeId: 'other', machine })
    expect(JOB_LEASE_MS).toBeLessThan(5_000)
    clock.advance(JOB_LEASE_MS)
    await other.matchyard.worker.runDueJobs()
    expect(await other.matchyard.servers.get({ projectId, instanceId })).toMatchObject({
      status: 'launching',
      nodeId: 'other',
      attempt: 2,
      launchAttempts: 1,
    })
    expect(machine.alive).toMatchObject([{ instanceId, attempt: 2 }])
    clock.advance(1_000)
    await other.matchyard.worker.reconcileServers()
    expect(await other.matchyard.servers.get({ projectId, instanceId })).toMatchObject({ status: 'running' })

    // The first node only stalled: the process that it spawns now is a stray, and is stopped.
    given.launch.release()
    await given.working
    expect(given.machine.alive).toMatchObject([{ instanceId, attempt: 1 }])
    await given.matchyard.worker.reconcileServers()
    clock.advance(20_000)
    await given.matchyard.worker.reconcileServers()
    expect(given.machine.alive).toEqual([])
    expect(machine.alive).toMatchObject([{ instanceId, attempt: 2 }])
    expect(await other.matchyard.servers.get({ projectId, instanceId })).toMatchObject({
      status: 'running',
      nodeId: 'other',
    })
  })

  it('of a node that starts again are its own at once, and its launch goes on with the attempt that it had recorded', async () => {
    const given = await launchUnderWay(renewsNothing)
    const { projectId, instanceId, machine } = given
    const back = await given.another({ nodeId: 'node' })
    await back.matchyard.worker.runDueJobs()
    expect(machine.alive).toMatchObject([{ instanceId, attempt: 1 }])
    expect(await back.matchyard.servers.get({ projectId, instanceId })).toMatchObject({ nodeId: 'node', attempt: 1 })
  })

  it('that ran out under work in hand are taken up by that work, which is not begun a second time beside itself', async () => {
    const given = await service(renewsNothing)
    const { matchyard, projectId, orchestrator } = given
    const launch = orchestrator.hold('launch', 'before')
    await matchyard.start()
    const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    await live(given, 1_000 + 2 * JOB_LEASE_MS)
    expect(matchyard.jobsInHand()).toMatchObject({ launches: 1 })
    launch.release()
    await live(given, 3_000)
    expect(matchyard.jobsInHand()).toMatchObject({ launches: 0 })
    expect(await matchyard.servers.get({ projectId, instanceId })).toMatchObject({ status: 'running', attempt: 1 })
    await matchyard.stop()
  })

  it('are one for a launch that is in hand when its process ends, however often that is looked at', async () => {
    const given = await service()
    const { matchyard, projectId, orchestrator, machine, clock } = given
    const launch = orchestrator.hold('launch', 'after')
    await matchyard.start()
    const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    await live(given, 500)
    await launch.reached
    const [process] = machine.alive
    if (process !== undefined) machine.exit(process, 1, clock.now())
    await live(given, 5_000)
    expect(matchyard.jobsInHand()).toMatchObject({ launches: 1 })
    launch.release()
    await live(given, 5_000)
    expect(matchyard.jobsInHand()).toMatchObject({ launches: 0 })
    expect(await matchyard.servers.get({ projectId, instanceId })).toMatchObject({ status: 'running', attempt: 2 })
    await matchyard.stop()
  })

  it('are held on to for as long as the work goes on', async () => {
    const given = await launchUnderWay()
    const { projectId, instanceId } = given
    const machine = new Machine('host-2')
    const other = await given.another({ nodeId: 'other', machine })
    for (let passed = 0; passed < 40_000; passed += 1_000) {
      await live(given, 1_000)
      await other.matchyard.worker.runDueJobs()
    }
    expect(machine.alive).toEqual([])
    given.launch.release()
    await given.working
    expect(await other.matchyard.servers.get({ projectId, instanceId })).toMatchObject({ nodeId: 'node', attempt: 1 })
  })

  it('do not hold up a stop: it waits ten seconds, and others go on with what is left', async () => {
    const given = await launchUnderWay()
    const { projectId, instanceId, matchyard, orchestrator } = given
    given.launch.release()
    await given.working
    await matchyard.start()
    const late = orchestrator.hold('launch', 'before')
    const { id: lateId } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    await live(given, 1_000)
    await late.reached
    let stopped = false
    const stopping = matchyard.stop().then(() => {
      stopped = true
    })
    await live(given, 9_800)
    expect(stopped).toBe(false)
    await live(given, 300)
    await stopping
    const machine = new Machine('host-2')
    const other = await given.another({ nodeId: 'other', machine })
    given.clock.advance(JOB_LEASE_MS)
    await other.matchyard.worker.runDueJobs()
    expect(machine.alive).toMatchObject([{ instanceId: lateId, attempt: 2 }])
    expect(given.machine.alive).toMatchObject([{ instanceId, attempt: 1 }])
  })
})

describe('lanes', () => {
  it('have so many hands, and what is beyond them waits in the storage', async () => {
    const given = await service()
    const { matchyard, orchestrator } = given
    const { hands, perTenant } = LANES.launches
    const tenants = Math.ceil(hands / perTenant) + 1
    const projects: string[] = []
    const gates = Array.from({ length: tenants * perTenant }, () => orchestrator.hold('proposePorts', 'before'))
    for (let tenant = 0; tenant < tenants; tenant++) {
      const { id: projectId } = await matchyard.projects.ensure({ name: 'x', email: `tenant${tenant}@example.com` })
      await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
      projects.push(projectId)
    }
    await matchyard.worker.runDueJobs()
    for (const projectId of projects) {
      for (let n = 0; n < perTenant; n++) await matchyard.servers.create({ projectId, versionTag: 'arena' })
    }
    await matchyard.start()
    await live(given, 1_000)
    expect(matchyard.jobsInHand()).toMatchObject({ launches: hands })
    const [due] = (await matchyard.metrics()).jobsDue.filter(({ kind }) => kind === 'launch-server')
    expect(due?.count).toBe(tenants * perTenant - hands)
    for (const { release } of gates) release()
    await live(given, 2_000)
    expect(matchyard.jobsInHand()).toMatchObject({ launches: 0 })
    await matchyard.stop()
  })

  it("leave another tenant's launches and everybody's timers alone, however many of one tenant's launches stand still", async () => {
    const given = await service()
    const { matchyard, projectId, orchestrator, clock } = given
    const other = await matchyard.projects.ensure({ name: 'other', email: 'other@example.com' })
    await matchyard.builds.registerImage({ projectId: other.id, name: 'arena', imageUrl: 'games/arena:1' })
    await matchyard.worker.runDueJobs()
    await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', timeoutSeconds: 3, matchmaking: {} })
    const { perTenant } = LANES.launches
    const gates = Array.from({ length: perTenant }, () => orchestrator.hold('proposePorts', 'before'))
    for (let n = 0; n < 2 * perTenant; n++) await matchyard.servers.create({ projectId, versionTag: 'arena' })
    await matchyard.start()
    await live(given, 500)
    expect(matchyard.jobsInHand()).toMatchObject({ launches: perTenant })

    const { id: instanceId } = await matchyard.servers.create({ projectId: other.id, versionTag: 'arena' })
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, playerId: 'ann', queueId: 'duel' })
    await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId: 'ann' })
    const enteredAt = clock.now()
    await live(given, 2_500)
    expect(await matchyard.servers.get({ projectId: other.id, instanceId })).toMatchObject({ status: 'running' })
    expect((await matchyard.lobbies.get({ projectId, lobbyId, backend: true })).status).toBe('in_queue')
    await live(given, 3_000 - (clock.now() - enteredAt) + 100)
    expect((await matchyard.lobbies.get({ projectId, lobbyId, backend: true })).status).toBe('waiting')
    expect(matchyard.jobsInHand()).toMatchObject({ launches: perTenant })

    for (const { release } of gates) release()
    await live(given, 5_000)
    const { data } = await matchyard.servers.list({ projectId, limit: 100, offset: 0 })
    expect(data.filter((server) => server.status === 'running')).toHaveLength(2 * perTenant)
    await matchyard.stop()
  })
})
