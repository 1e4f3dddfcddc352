import { afterEach, expect, test } from 'vitest'
import { gameServerManifest, launchMarks } from '../../src/agones/manifest'
import { ANNOTATION, gameServerName } from '../../src/agones/names'
import { ApiStatus } from '../../src/agones/testing/kubernetes/status'
import { launchSpec } from './launch-spec'
import {
  eventually,
  GAMESERVERS,
  PODS,
  serviceOnClusters,
  untilObserved,
  untilWaiting,
  warmPool,
  written,
} from './service-on-clusters'

/* Tests of a node that dies in the middle of its work: the next node need not wait for the objects that are left. */

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

test('a game server that was made, and not claimed for its launch, has ended once it was stopped', async () => {
  const { cluster, start, all } = await serviceOnClusters(ending)
  const orchestrator = await start()
  const spec = launchSpec()
  const of = { installationId: 'ins', template: {}, health: undefined, imagePullSecrets: [] }
  cluster.api.create(GAMESERVERS, cluster.namespace, gameServerManifest(spec, of) as never)
  await eventually('its pod is there', async () => all(PODS).length === 1 || undefined)
  await untilObserved(orchestrator, spec, 'starting')
  await orchestrator.stop(spec.instanceId, { graceMs: 1_000 })
  await untilObserved(orchestrator, spec, 'exited')
  await orchestrator.forget(spec.instanceId)
  await eventually('nothing is left', async () => all(GAMESERVERS).length + all(PODS).length === 0 || undefined)
  expect(await orchestrator.launch({ ...spec, attempt: 2 })).toEqual({ ok: true })
  await untilObserved(orchestrator, spec, 'ready')
})

test('one that waited, and was put away but for its object, is told as ended and not as one that was told nothing', async () => {
  const { cluster, start, all } = await serviceOnClusters(ending)
  const orchestrator = await start()
  const spec = launchSpec()
  await untilWaiting(orchestrator, [warmPool()], [1])
  await orchestrator.launch(spec)
  expect(await untilObserved(orchestrator, spec, 'ready')).toMatchObject({ warm: expect.any(String) })
  await orchestrator.stop(spec.instanceId, { graceMs: 1_000 })
  await untilObserved(orchestrator, spec, 'exited')
  const [pod] = all(PODS).filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
  written(cluster, PODS, pod?.metadata.name ?? '', ({ metadata }) => {
    metadata.finalizers = []
  })
  const node = await start()
  expect(await untilObserved(node, spec, 'exited')).toMatchObject({ attempt: 1 })
  // A restart begins at once: the next launch deletes the objects of the previous attempt.
  expect(await node.launch({ ...spec, attempt: 2 })).toEqual({ ok: true })
  expect(await untilObserved(node, spec, 'ready')).toMatchObject({ attempt: 2 })
  const names = all(GAMESERVERS).map(({ metadata }) => metadata.name)
  expect(names).not.toContain(pod?.metadata.name)
  expect(names).not.toContain(gameServerName('ins', spec.instanceId, 1))
})

/** Makes a waiting game server that a node has taken for a launch, but could not give its configuration. */
async function takenUntold() {
  const around = await serviceOnClusters(ending)
  const orchestrator = await around.start()
  const spec = launchSpec()
  await untilWaiting(orchestrator, [warmPool()], [1])
  let isAway = true
  around.cluster.api.admissions.push((resource, { metadata }) => {
    const isTelling = resource === PODS && metadata.annotations?.[ANNOTATION.configuration] !== undefined
    if (isAway && isTelling) throw new ApiStatus('InternalError', 'etcdserver: leader changed')
  })
  await expect(orchestrator.launch(spec)).rejects.toThrow(/leader changed/)
  const taken = () =>
    around.all(GAMESERVERS).find(({ metadata }) => metadata.annotations?.[ANNOTATION.instance] === spec.instanceId)
  const name = taken()?.metadata.name ?? ''
  const back = () => {
    isAway = false
  }
  return { ...around, orchestrator, spec, taken, name, back }
}

test('one that waited, was taken and crashed before it was told is nobody’s attempt, though Agones puts it away', async () => {
  const { cluster, orchestrator, spec, taken, name, back } = await takenUntold()
  const finishedAt = new Date().toISOString()
  written(cluster, PODS, name, ({ status }) => {
    status.phase = 'Failed'
    status.containerStatuses = [{ name: 'game', state: { terminated: { exitCode: 1, finishedAt } } }]
  })
  await eventually('Agones puts it away', async () => taken()?.metadata.deletionTimestamp !== undefined || undefined)
  back()
  const isSeen = async () => (await orchestrator.observe()).every(({ state }) => state === 'starting')
  await eventually('the watch tells it', async () => (await isSeen()) || undefined)
  expect((await orchestrator.observe(spec.instanceId)).map(({ state }) => state)).not.toContain('exited')
  expect(await orchestrator.launch(spec)).toEqual({ ok: true })
  await untilObserved(orchestrator, spec, 'ready')
})

test('one that waited, was taken and never told is gone once it is stopped', async () => {
  const { orchestrator, spec, taken, back } = await takenUntold()
  back()
  await orchestrator.stop(spec.instanceId, { graceMs: 1_000 })
  await eventually('nothing of it is left', async () => taken() === undefined || undefined)
  expect(await orchestrator.observe(spec.instanceId)).toEqual([])
})

/**
 * Makes a ready game server for a launch, and marks a waiting game server as taken for the same launch. This is the
 * state after a node died before it withdrew the waiting game server.
 */
async function takenBeside() {
  const around = await serviceOnClusters(ending)
  const orchestrator = await around.start()
  const spec = launchSpec()
  await orchestrator.launch(spec)
  await untilObserved(orchestrator, spec, 'ready')
  await untilWaiting(orchestrator, [warmPool()], [1])
  const name = around.all(GAMESERVERS).find(({ status }) => status.state === 'Ready')?.metadata.name ?? ''
  written(around.cluster, GAMESERVERS, name, ({ metadata, status }) => {
    const { labels, annotations } = launchMarks(spec, 'ins')
    const allocatedAt = new Date(around.now()).toISOString()
    metadata.labels = { ...metadata.labels, ...labels }
    metadata.annotations = { ...metadata.annotations, ...annotations, [ANNOTATION.allocatedAt]: allocatedAt }
    status.state = 'Allocated'
  })
  const isThere = () => around.all(GAMESERVERS).some(({ metadata }) => metadata.name === name)
  return { ...around, orchestrator, spec, isThere }
}

test('one that was taken beside the launch’s own is left to who took it, and then withdrawn by whoever looks', async () => {
  const { orchestrator, spec, isThere, turn } = await takenBeside()
  turn(20_000)
  await orchestrator.observe(spec.instanceId)
  expect(isThere()).toBe(true)
  turn(20_000)
  const [seen, ...others] = await orchestrator.observe(spec.instanceId)
  expect(others).toEqual([])
  expect(seen).toMatchObject({ state: 'ready', attempt: 1 })
  expect(seen).not.toHaveProperty('warm')
  await eventually('it is gone', async () => !isThere() || undefined)
  expect(await orchestrator.observe(spec.instanceId)).toMatchObject([{ state: 'ready' }])
})

test('what the cluster does not carry out is asked for once a minute, and hides the launch’s own from nobody', async () => {
  const { cluster, orchestrator, spec, isThere, turn } = await takenBeside()
  let asked = 0
  cluster.server.faults.judge = ({ verb }) => {
    if (verb !== 'delete') return 'pass'
    asked++
    return 'error'
  }
  turn(40_000)
  for (let looks = 0; looks < 3; looks++) {
    expect(await orchestrator.observe(spec.instanceId)).toMatchObject([{ state: 'ready' }])
    expect(await orchestrator.observe()).toMatchObject([{ state: 'ready' }])
  }
  expect([asked, isThere()]).toEqual([1, true])
  cluster.server.faults.clear()
  turn(60_000)
  await orchestrator.observe()
  await eventually('it is gone', async () => !isThere() || undefined)
})

test('a removal that is not answered keeps no look waiting', async () => {
  const { cluster, orchestrator, spec, isThere, turn } = await takenBeside()
  let isAsked = () => {}
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve
  })
  // Like an admission webhook that is asked before the deletion of a pod, and does not answer.
  cluster.server.faults.judge = ({ verb }) => {
    if (verb !== 'delete') return 'pass'
    isAsked()
    return 'silent'
  }
  turn(40_000)
  const other = launchSpec({ instanceId: 'srv_other' })
  expect(await orchestrator.observe(spec.instanceId)).toMatchObject([{ state: 'ready' }])
  await asked
  expect(await orchestrator.observe()).toMatchObject([{ state: 'ready' }])
  expect(await orchestrator.launch(other)).toEqual({ ok: true })
  expect(isThere()).toBe(true)
})
