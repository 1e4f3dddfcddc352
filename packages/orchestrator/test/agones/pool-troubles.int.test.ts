import { afterEach, describe, expect, test } from 'vitest'
import { ANNOTATION, LABEL } from '../../src/agones/names'
import { FLEETS, GAMESERVERS, type KubeObject } from '../../src/agones/testing/index'
import type { Resource } from '../../src/agones/testing/kubernetes/objects'
import { ApiStatus } from '../../src/agones/testing/kubernetes/status'
import { launchSpec } from './launch-spec'
import { eventually, serviceOnClusters, untilObserved, untilWaiting, warmPool, written } from './service-on-clusters'

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

const COVETED = '--coveted'
const coveted = warmPool({ startupArgs: COVETED })
const isCoveted = ({ spec }: KubeObject): boolean =>
  JSON.stringify(spec.template?.spec?.template?.spec?.containers ?? []).includes(COVETED)

/** Makes a cluster that refuses fleets of one kind. */
async function refusing() {
  const around = await serviceOnClusters(ending)
  const refused = { times: 0 }
  around.cluster.api.admissions.push((resource: Resource, object: object) => {
    if (resource !== FLEETS || !isCoveted(object as KubeObject)) return
    refused.times++
    throw new ApiStatus('Forbidden', 'admission webhook "images" denied the request: the image is not signed')
  })
  const told = () => around.logger.lines.filter(({ message }) => message.includes('cannot be seen to'))
  return { ...around, refused, told }
}

describe('a fleet that is refused', () => {
  test('keeps no other pool of its cluster from being filled, told and taken away', async () => {
    const { start, all, told } = await refusing()
    const orchestrator = await start()
    const other = warmPool({ startupArgs: '--other' })
    await untilWaiting(orchestrator, [coveted, warmPool(), other], [0, 1, 1])
    expect(told()).toHaveLength(1)
    expect(told()[0]?.fields).toMatchObject({
      fleet: expect.stringMatching(/^warm-/),
      error: expect.stringMatching(/signed/),
    })
    await eventually('the other one is gone', async () => {
      await orchestrator.keepWarm([coveted, warmPool()])
      return all(FLEETS).length === 1 || undefined
    })
  })

  test('is asked for again after a pause that grows, and not at every look', async () => {
    const { start, turn, refused } = await refusing()
    const orchestrator = await start()
    for (let look = 0; look < 10; look++) await orchestrator.keepWarm([coveted])
    expect(refused.times).toBe(1)
    turn(6_000)
    for (let look = 0; look < 10; look++) await orchestrator.keepWarm([coveted])
    expect(refused.times).toBe(2)
  })

  test('is told anew once it was not', async () => {
    const { cluster, start, turn, told } = await refusing()
    const [refuse] = cluster.api.admissions.slice(-1)
    const orchestrator = await start()
    await orchestrator.keepWarm([coveted])
    cluster.api.admissions.pop()
    turn(600_000)
    await untilWaiting(orchestrator, [coveted], [1])
    if (refuse !== undefined) cluster.api.admissions.push(refuse)
    for (let look = 0; look < 3; look++) await orchestrator.keepWarm([{ ...coveted, buffer: 2 }])
    expect(told()).toHaveLength(2)
  })
})

test('a member that may not be deleted keeps no other from waiting, and is told once', async () => {
  const { cluster, start, all, logger } = await serviceOnClusters(ending)
  const orchestrator = await start()
  await untilWaiting(orchestrator, [warmPool()], [1])
  const [first = ''] = all(GAMESERVERS).map(({ metadata }) => metadata.name)
  cluster.server.faults.judge = ({ verb, resource, name }) =>
    verb === 'delete' && resource === 'gameservers' && name === first ? 'error' : 'pass'
  written(cluster, GAMESERVERS, first, ({ status }) => {
    status.state = 'Allocated'
  })
  await untilWaiting(orchestrator, [warmPool({ buffer: 2 }), warmPool({ startupArgs: '--other' })], [1, 1])
  for (let look = 0; look < 3; look++) await orchestrator.keepWarm([warmPool()])
  expect(logger.lines.filter(({ message }) => message.includes('cannot be seen to'))).toHaveLength(1)
})

describe.each(['Allocated', 'Reserved'])('one that waits and makes itself %s by Agones’ SDK', (state) => {
  test('is taken away, and replaced after a pause that grows', async () => {
    const { cluster, start, turn, all, logger } = await serviceOnClusters(ending)
    const orchestrator = await start()
    const takesItself = (name: string) =>
      written(cluster, GAMESERVERS, name, (one) => {
        one.status.state = state
      })
    const waits = async () => (await orchestrator.keepWarm([warmPool()]))[0]?.ready ?? []
    await untilWaiting(orchestrator, [warmPool()], [1])
    for (const pause of [5_000, 10_000]) {
      const [name = ''] = await waits()
      takesItself(name)
      await eventually('it is gone', async () => {
        await waits()
        return all(GAMESERVERS).every(({ metadata }) => metadata.name !== name) || undefined
      })
      expect(await waits()).toEqual([])
      turn(pause)
      await untilWaiting(orchestrator, [warmPool()], [1])
    }
    expect(logger.lines.filter(({ message }) => message.includes('made itself Allocated'))).toHaveLength(2)
  })

  test('is taken away where nobody wants any of its pool any more, and the fleet goes', async () => {
    const { cluster, start, all } = await serviceOnClusters(ending)
    const orchestrator = await start()
    await untilWaiting(orchestrator, [warmPool()], [1])
    const [name = ''] = all(GAMESERVERS).map(({ metadata }) => metadata.name)
    written(cluster, GAMESERVERS, name, (one) => {
      one.status.state = state
    })
    await eventually('nothing is left', async () => {
      await orchestrator.keepWarm([])
      return all(FLEETS).length + all(GAMESERVERS).length === 0 || undefined
    })
  })
})

test('one that a launch has taken is not taken for that, at whichever moment it is looked at', async () => {
  const { cluster, start, all } = await serviceOnClusters(ending)
  const orchestrator = await start()
  const unmarked: string[] = []
  cluster.api.store.subscribe(({ resource, object }) => {
    const isMarked = object.metadata.labels?.[LABEL.instance] !== undefined
    const isWhole = object.metadata.annotations?.[ANNOTATION.attempt] !== undefined
    if (resource === GAMESERVERS && object.status.state === 'Allocated' && !(isMarked && isWhole))
      unmarked.push(object.metadata.name)
  })
  for (let round = 1; round <= 5; round++) {
    await untilWaiting(orchestrator, [warmPool()], [1])
    const spec = launchSpec({ instanceId: `srv_${round}` })
    await Promise.all([orchestrator.launch(spec), ...[1, 2, 3].map(() => orchestrator.keepWarm([warmPool()]))])
    await untilObserved(orchestrator, spec, 'ready')
  }
  expect(unmarked).toEqual([])
  expect(all(GAMESERVERS).filter(({ status }) => status.state === 'Allocated')).toHaveLength(5)
})

test('a cluster that does not answer is waited for beside the others, not before them', async () => {
  const { clusters, start } = await serviceOnClusters(ending, { regions: ['iad', 'fra'] })
  const orchestrator = await start()
  const pools = [warmPool(), warmPool({ region: 'fra' })]
  await untilWaiting(orchestrator, pools, [1, 1])
  const asked: string[] = []
  for (const [index, { server }] of clusters.entries()) {
    server.faults.judge = ({ resource, verb }) => {
      if (resource !== 'fleets' || verb !== 'list') return 'pass'
      asked.push(index === 0 ? 'slow' : 'quick')
      // The slow cluster asks for a pause of one second, at every call.
      return index === 0 ? 'throttle' : 'pass'
    }
  }
  await orchestrator.keepWarm(pools)
  expect(asked.slice(0, 3)).toEqual(['slow', 'quick', 'slow'])
})
