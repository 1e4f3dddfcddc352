import { afterAll, expect, test } from 'vitest'
import { whatIsWrongAtRest } from './at-rest'
import { packAtOnce } from './packing'
import { comesToRest } from './simulate'
import { World } from './world'

afterAll(packAtOnce())

/* Faults that the simulation has found, each as the shortest sequence of events. */

const SECOND_MS = 1_000

async function aRunningServer(launchTimeoutMs = 90 * SECOND_MS): Promise<World> {
  const world = new World({ seed: 3, nodes: 1, launchTimeoutMs, onPoint: () => {} })
  await world.begin()
  world.perform({ kind: 'server', at: 0, a: 0, b: 1 })
  expect(await comesToRest(world, 60 * SECOND_MS, whatIsWrongAtRest)).toBeUndefined()
  expect(world.audit.live).toMatchObject([{ status: 'running' }])
  return world
}

test('a server that takes its time to end is not asked again and again, however often it is looked at meanwhile', async () => {
  const world = await aRunningServer()
  world.containers.stop = () => {} // the end takes longer than any caller waits
  const asked: string[] = []
  world.cluster.requests.faults.judge = ({ verb, resource }) => {
    if (verb === 'delete') asked.push(resource)
    return 'pass'
  }
  world.stopAll()
  await world.pass(4 * SECOND_MS)
  expect(world.audit.live).toMatchObject([{ status: 'stopping' }])
  // Two observations may run side by side. Before the correction, a hundred calls came in four seconds.
  expect(asked.length).toBeLessThanOrEqual(4)
  expect(new Set(asked)).toEqual(new Set(['pods', 'gameservers']))
})

test('a restart whose configuration is deleted before it begins is told as ended, where it would wait for ever', async () => {
  // Longer than the test takes: otherwise core would call the restart a crash, and nobody would learn the reason.
  const world = await aRunningServer(600 * SECOND_MS)
  const { kubelet } = world.cluster
  const capacity = (pods: number) => {
    for (const node of kubelet.nodes) node.capacity = pods
    kubelet.look()
  }
  capacity(0)
  const [server] = world.audit.live
  world.perform({ kind: 'restart', at: 0, a: 0, b: 0 })
  await world.pass(12 * SECOND_MS)
  expect(world.audit.records.get(server?.id ?? '')).toMatchObject({ status: 'running', attempt: 2 })
  world.perform({ kind: 'delete secret', at: 0, a: 0, b: 0 })
  capacity(1)
  await world.pass(60 * SECOND_MS)
  expect(whatIsWrongAtRest(world).map(({ invariant }) => invariant)).toContain('noServerIsAGhost')
  expect(await comesToRest(world, 100 * SECOND_MS, whatIsWrongAtRest)).toBeUndefined()
  expect(world.audit.records.get(server?.id ?? '')?.stopReason).toBe('configuration_deleted')
})

test('what was half taken away when the cluster went away is gone after the next launch', async () => {
  const world = new World({ seed: 3, nodes: 1, launchTimeoutMs: 90 * SECOND_MS, onPoint: () => {} })
  await world.begin()
  world.cluster.api.quotas.set('count/secrets', 0)
  world.perform({ kind: 'server', at: 0, a: 0, b: 1 })
  const { faults } = world.cluster.requests
  const { judge } = faults
  let deletions = 0
  faults.judge = (access) => {
    // At this point the game server is released and being deleted, but its pod is still held.
    if (deletions === 2) return 'down'
    if (access.verb === 'delete' && access.resource === 'gameservers') deletions++
    return judge(access)
  }
  await world.pass(5 * SECOND_MS)
  expect(deletions).toBe(2)
  faults.judge = judge
  world.calmDown()
  expect(await comesToRest(world, 60 * SECOND_MS, whatIsWrongAtRest)).toBeUndefined()
  expect(world.audit.live).toMatchObject([{ status: 'running' }])
})
