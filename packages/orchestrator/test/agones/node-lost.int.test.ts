import { afterEach, describe, expect, test } from 'vitest'
import { idleRuntime } from '../../src/agones/testing/index'
import { launchSpec } from './launch-spec'
import {
  eventually,
  GAMESERVERS,
  PODS,
  serviceOnClusters,
  untilObserved,
  untilWaiting,
  warmPool,
} from './service-on-clusters'

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

/** Returns the runtime of machines that hang once they have started their containers: no container is ended. */
const hanging = () => ({ ...idleRuntime(), stop: () => {} })

/** Makes a service with one game server, on a machine that hangs. */
async function setting() {
  const around = await serviceOnClusters(ending, { runtime: hanging() })
  const orchestrator = await around.start()
  const spec = launchSpec()
  await orchestrator.launch(spec)
  await untilObserved(orchestrator, spec, 'ready')
  const { api, namespace, server } = around.cluster
  const podDeleted = (gracePeriodSeconds: number) => {
    for (const { metadata } of around.all(PODS)) api.delete(PODS, namespace, metadata.name, { gracePeriodSeconds })
  }
  const logs = { asked: 0 }
  const silentLogs = () => {
    server.faults.judge = ({ subresource }) => {
      if (subresource !== 'log') return 'pass'
      logs.asked++
      return 'down'
    }
  }
  return { ...around, orchestrator, spec, podDeleted, logs, silentLogs }
}

describe('a machine that hangs, and that the cluster keeps in its list', () => {
  test('has its server told as ended, by when its pod’s grace was over', async () => {
    const { orchestrator, spec, podDeleted, turn, all } = await setting()
    podDeleted(10)
    turn(60_000)
    expect(await orchestrator.observe(spec.instanceId)).toMatchObject([{ state: 'ready' }])
    turn(60_000)
    const [seen] = await orchestrator.observe(spec.instanceId)
    expect(seen).toMatchObject({ state: 'exited', exit: { code: null, reason: 'node_lost' } })
    expect(seen?.exit?.at).toBe(Date.parse(all(PODS)[0]?.metadata.deletionTimestamp ?? ''))
  })

  test('lets a stop end', async () => {
    const { orchestrator, spec, turn } = await setting()
    await orchestrator.stop(spec.instanceId, { graceMs: 1_000 })
    turn(120_000)
    await untilObserved(orchestrator, spec, 'exited')
    await orchestrator.forget(spec.instanceId)
    expect(await orchestrator.observe(spec.instanceId)).toEqual([])
  })

  test('keeps no later attempt from being launched, though its log is not to be had', async () => {
    const { orchestrator, spec, podDeleted, turn, logs, silentLogs } = await setting()
    podDeleted(10)
    turn(120_000)
    silentLogs()
    const next = launchSpec({ attempt: 2 })
    expect(await orchestrator.launch(next)).toEqual({ ok: true })
    expect(logs.asked).toBe(1)
    await untilObserved(orchestrator, next, 'ready')
    expect(await orchestrator.launch(spec)).toEqual({ ok: true }) // an earlier attempt is not launched again
    expect(await orchestrator.observe(spec.instanceId)).toMatchObject([{ attempt: 2, state: 'ready' }])
  })

  test('keeps no pool short: what waits on it is replaced', async () => {
    const { cluster, start, turn, all } = await serviceOnClusters(ending, { runtime: hanging() })
    const orchestrator = await start()
    await untilWaiting(orchestrator, [warmPool()], [1])
    const [lost = ''] = all(GAMESERVERS).map(({ metadata }) => metadata.name)
    cluster.api.delete(PODS, cluster.namespace, lost, { gracePeriodSeconds: 10 })
    turn(120_000)
    await eventually('another one waits', async () => {
      const [{ ready = [] } = {}] = await orchestrator.keepWarm([warmPool()])
      turn(1_000)
      return (ready.length === 1 && !ready.includes(lost)) || undefined
    })
  })
})

describe('a log that is not to be had', () => {
  test('of a pod that was deleted by force is no log, at once', async () => {
    const { orchestrator, spec, podDeleted, turn, logs, silentLogs } = await setting()
    podDeleted(0)
    turn(15_000)
    silentLogs()
    expect(await untilObserved(orchestrator, spec, 'exited')).toMatchObject({ exit: { reason: 'pod_deleted' } })
    await orchestrator.forget(spec.instanceId)
    expect(logs.asked).toBe(1)
    expect(await orchestrator.observe(spec.instanceId)).toEqual([])
  })

  test('of one whose end was told is asked for three times; then it is put away without', async () => {
    const { cluster, start, all } = await serviceOnClusters(ending)
    const orchestrator = await start()
    const spec = launchSpec()
    await orchestrator.launch(spec)
    await untilObserved(orchestrator, spec, 'ready')
    await orchestrator.stop(spec.instanceId, { graceMs: 0 })
    await untilObserved(orchestrator, spec, 'exited')
    cluster.server.faults.judge = ({ subresource }) => (subresource === 'log' ? 'down' : 'pass')
    for (let tries = 1; tries < 3; tries++)
      await expect(orchestrator.forget(spec.instanceId)).rejects.toThrow(/cannot be used now/)
    await orchestrator.forget(spec.instanceId)
    expect(all(PODS)).toEqual([])
  })

  test('of one that runs is told as such', async () => {
    const { orchestrator, spec, silentLogs } = await setting()
    silentLogs()
    await expect(orchestrator.logs(spec.instanceId, { limit: 10 })).rejects.toThrow(/cannot be used now/)
  })
})
