import type { LaunchSpec } from '@matchyard/core/ports'
import { afterEach, describe, expect, test } from 'vitest'
import { FLEETS } from '../../src/agones/testing/index'
import { GAMESERVERS, type KubeObject, PODS, type Resource } from '../../src/agones/testing/kubernetes/objects'
import { ApiStatus } from '../../src/agones/testing/kubernetes/status'
import { launchSpec } from './launch-spec'
import { eventually, serviceOnClusters, untilObserved, untilWaiting, warmPool } from './service-on-clusters'

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

const image = (name: string) => `registry.test/${name}@sha256:${'0'.repeat(64)}`
const build = (name: string) => ({ type: 'docker_image', buildId: `bld_${name}`, image: image(name) }) as const
const launchOf = (name: string, more: Partial<LaunchSpec> = {}) =>
  launchSpec({ instanceId: `srv_${name}`, projectId: `prj_${name}`, build: build(name), ...more })

/** Makes clusters that refuse all pods of one image. */
async function setting(regions?: readonly string[]) {
  const around = await serviceOnClusters(ending, regions === undefined ? {} : { regions })
  const unsigned = image('unsigned')
  for (const { api } of around.clusters) {
    api.admissions.push((resource: Resource, { spec }: { spec?: KubeObject['spec'] }) => {
      if (resource === PODS && spec.containers[0].image === unsigned)
        throw new ApiStatus('Forbidden', 'admission webhook denied the request: the image is not signed')
    })
  }
  const replicas = (index: number) =>
    around.clusters[index]?.api.store.list(FLEETS).map(({ spec }) => Number(spec.replicas)) ?? []
  return { ...around, replicas }
}

const NO_ROOM = { ok: false, reason: 'no_room' }
const ALONE = { ok: false, reason: 'no_room', message: expect.stringMatching(/a policy/) }

describe('a pod that is refused, nobody says why', () => {
  test('empties the pools of its own cluster alone', async () => {
    const { start, replicas } = await setting(['iad', 'fra'])
    const orchestrator = await start()
    const pools = [warmPool(), warmPool({ region: 'fra' })]
    await untilWaiting(orchestrator, pools, [1, 1])
    expect(await orchestrator.launch(launchOf('unsigned'))).toMatchObject(NO_ROOM)
    await untilWaiting(orchestrator, pools, [0, 1])
    expect([replicas(0), replicas(1)]).toEqual([[0], [1]])
  })

  test('waits for room, and empties the pools once: not with each try, nor with each match of its project', async () => {
    const { start, turn, all } = await setting()
    const orchestrator = await start()
    await untilWaiting(orchestrator, [warmPool()], [1])
    expect(await orchestrator.launch(launchOf('unsigned'))).toMatchObject(NO_ROOM)
    await untilWaiting(orchestrator, [warmPool()], [0])
    turn(30_000)
    await untilWaiting(orchestrator, [warmPool()], [1])
    for (const more of [{ attempt: 2 }, { attempt: 3 }, { instanceId: 'srv_other' }, { build: build('unsigned') }]) {
      expect(await orchestrator.launch(launchOf('unsigned', more))).toMatchObject(NO_ROOM)
      expect((await orchestrator.keepWarm([warmPool()]))[0]?.ready).toHaveLength(1)
    }
    expect(all(FLEETS).map(({ spec }) => spec.replicas)).toEqual([1])
  })

  test('is said to be a policy’s once another one, as large, has had its pod since: room is not what it lacks', async () => {
    const { start, turn } = await setting()
    const orchestrator = await start()
    expect(await orchestrator.launch(launchOf('unsigned'))).toMatchObject(NO_ROOM)
    // Times in the cluster are in whole seconds.
    turn(1_000)
    const small = launchOf('small', { tierSize: { cpus: 0.5, memoryGib: 0.5 } })
    expect(await orchestrator.launch(small)).toEqual({ ok: true })
    expect(await orchestrator.launch(launchOf('unsigned', { attempt: 2 }))).toMatchObject(NO_ROOM)
    expect(await orchestrator.launch(launchOf('signed'))).toEqual({ ok: true })
    expect(await orchestrator.launch(launchOf('unsigned', { attempt: 3 }))).toMatchObject(ALONE)
    expect(await orchestrator.launch(launchOf('unsigned', { instanceId: 'srv_next' }))).toMatchObject(ALONE)
    turn(600_000)
    expect(await orchestrator.launch(launchOf('unsigned', { attempt: 4 }))).toMatchObject(NO_ROOM)
  })

  test('of which there are others waits for room however many have theirs: it is a quota', async () => {
    const { cluster, start, turn } = await setting()
    const orchestrator = await start()
    const playing = launchOf('signed', { instanceId: 'srv_first' })
    await orchestrator.launch(playing)
    cluster.api.quotas.set('count/pods', 1)
    const waiting = launchOf('signed', { instanceId: 'srv_second' })
    expect(await orchestrator.launch(waiting)).toMatchObject(NO_ROOM)
    turn(1_000)
    cluster.api.quotas.set('count/pods', 2)
    expect(await orchestrator.launch(launchOf('other'))).toEqual({ ok: true })
    for (const attempt of [2, 3, 4, 5])
      expect(await orchestrator.launch({ ...waiting, attempt })).toMatchObject(NO_ROOM)
    await orchestrator.stop(playing.instanceId, { graceMs: 0 })
    await untilObserved(orchestrator, playing, 'exited')
    await orchestrator.forget(playing.instanceId)
    await eventually('it has room', async () => (await orchestrator.launch({ ...waiting, attempt: 6 })).ok || undefined)
  })
})

describe('a quota that many are counted against at once (409 Conflict)', () => {
  const crowded = async (times: number) => {
    const around = await setting()
    let left = times
    around.cluster.api.admissions.push((resource: Resource, _: object, before?: object) => {
      if (resource !== GAMESERVERS || before !== undefined || left-- <= 0) return
      const words = 'Operation cannot be fulfilled on resourcequotas "games": the object has been modified'
      throw new ApiStatus('Conflict', words)
    })
    return around
  }

  test('is asked again after a pause', async () => {
    const { start } = await crowded(2)
    const orchestrator = await start()
    const spec = launchSpec()
    expect(await orchestrator.launch(spec)).toEqual({ ok: true })
    await untilObserved(orchestrator, spec, 'ready')
  })

  test('costs no attempt where it goes on: the same one is asked for again', async () => {
    const { start } = await crowded(5)
    const orchestrator = await start()
    const spec = launchSpec()
    await expect(orchestrator.launch(spec)).rejects.toThrow(/cannot be used now/)
    expect(await orchestrator.launch(spec)).toEqual({ ok: true })
    await untilObserved(orchestrator, spec, 'ready')
  })
})
