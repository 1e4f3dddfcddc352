import { expect, test } from 'vitest'
import { whatIsWrongAtRest } from './at-rest'
import { comesToRest } from './simulate'
import { World } from './world'

/* What the simulation found, each as the shortest story. */

const SECOND_MS = 1_000

async function aRunningServer(): Promise<World> {
  const world = new World({ seed: 3, nodes: 1, launchTimeoutMs: 90 * SECOND_MS, onPoint: () => {} })
  await world.begin()
  world.perform({ kind: 'server', at: 0, a: 0, b: 1 })
  expect(await comesToRest(world, 60 * SECOND_MS, whatIsWrongAtRest)).toBeUndefined()
  expect(world.audit.live).toMatchObject([{ status: 'running' }])
  return world
}

test('a server that takes its time to end is not asked again and again, however often it is looked at meanwhile', async () => {
  const world = await aRunningServer()
  world.containers.stop = () => {} // it takes longer than anybody waits
  const asked: string[] = []
  world.cluster.requests.faults.judge = ({ verb, resource }) => {
    if (verb === 'delete') asked.push(resource)
    return 'pass'
  }
  world.stopAll()
  await world.pass(4 * SECOND_MS)
  expect(world.audit.live).toMatchObject([{ status: 'stopping' }])
  // Two looks may go on side by side; in four seconds it was asked a hundred times.
  expect(asked.length).toBeLessThanOrEqual(4)
  expect(new Set(asked)).toEqual(new Set(['pods', 'gameservers']))
})
