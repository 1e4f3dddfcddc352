import { afterEach, describe, expect, test } from 'vitest'
import { Cluster } from '../../src/agones/cluster'
import { isKept } from '../../src/agones/finalizer'
import { KubeClient } from '../../src/agones/kube/client'
import type { Connection } from '../../src/agones/kube/connection'
import { Unreachable } from '../../src/agones/kube/errors'
import { claim } from '../../src/agones/launch/claim'
import { withdraw } from '../../src/agones/launch/withdraw'
import { gameServerManifest } from '../../src/agones/manifest'
import { FINALIZER, gameServerName, hashOf, LABEL } from '../../src/agones/names'
import { GAMESERVERS, idleRuntime, PODS, type TestCluster, TOKEN, testCluster } from '../../src/agones/testing/index'
import { launchSpec } from './launch-spec'
import { eventually, serviceOnClusters, untilObserved } from './service-on-clusters'

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

describe('a pod that is nobody’s', () => {
  const orphan = (name: string, uid: string) => ({
    metadata: {
      name,
      labels: { [LABEL.installation]: hashOf('ins', 40) },
      finalizers: [FINALIZER],
      ownerReferences: [{ apiVersion: 'agones.dev/v1', kind: 'GameServer', name, uid, controller: true }],
    },
    spec: { containers: [{ name: 'game', image: 'registry.test/game' }] },
    status: { phase: 'Pending' },
  })

  test('since Agones made it when its game server had been let go of, is freed once it was seen twice', async () => {
    const { cluster, start, all } = await serviceOnClusters(ending)
    const orchestrator = await start()
    const spec = launchSpec()
    await orchestrator.launch(spec)
    await untilObserved(orchestrator, spec, 'ready')
    cluster.api.create(PODS, cluster.namespace, orphan('late', 'uid-of-one-that-went'))
    const kept = () => all(PODS).filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
    expect(kept()).toHaveLength(1)
    let looks = 0
    await eventually('it is gone', async () => {
      await orchestrator.prune()
      looks++
      return kept().length === 0 || undefined
    })
    expect(looks).toBeGreaterThan(1)
    expect(await orchestrator.observe(spec.instanceId)).toMatchObject([{ state: 'ready' }])
  })

  test('is told from one that ends, whose exit and log are still to be read', async () => {
    const { start, all } = await serviceOnClusters(ending)
    const orchestrator = await start()
    const spec = launchSpec()
    await orchestrator.launch(spec)
    await untilObserved(orchestrator, spec, 'ready')
    await orchestrator.stop(spec.instanceId, { graceMs: 0 })
    await untilObserved(orchestrator, spec, 'exited')
    for (let times = 0; times < 3; times++) await orchestrator.prune()
    expect(all(PODS).map(({ metadata }) => metadata.finalizers)).toEqual([[FINALIZER]])
    expect(await orchestrator.observe(spec.instanceId)).toMatchObject([{ state: 'exited', exit: { code: 0 } }])
  })
})

/**
 * Returns the cluster as one node reaches it. The node is dead after the first call for which `diesAt` returns true.
 */
function nodeOn(cluster: TestCluster, diesAt: (method: string, path: string) => boolean = () => false): Cluster {
  let isDead = false
  const connection: Connection = {
    server: 'test',
    async send({ method, path, body, type = 'application/json' }) {
      if (isDead) throw new Unreachable('it is dead')
      const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': type }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const answer = await fetch(`${cluster.url}${path}`, { method, headers, ...sent })
      isDead = diesAt(method, path)
      return { code: answer.status, text: await answer.text(), retryAfter: undefined }
    },
    stream: async () => {
      throw new Unreachable('nothing is watched')
    },
  }
  const pauses = { now: () => performance.now(), pause: async () => {} }
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const settings = { installationId: 'ins', logBytes: 1_024, keptEnded: 10 }
  return new Cluster('test', new KubeClient(connection, cluster.namespace, pauses), settings, pauses, logger)
}

test('a claimed game server is kept for its end, at whichever call a node dies that would take it away', async () => {
  for (let call = 0; ; call++) {
    const cluster = await testCluster({ runtime: { ...idleRuntime(), imageFault: () => 'not there yet' } })
    ending.push(() => cluster.close())
    const spec = launchSpec()
    const launching = nodeOn(cluster)
    const of = { installationId: 'ins', template: {}, health: undefined, imagePullSecrets: [] }
    const server = await launching.create(gameServerManifest(spec, of))
    expect(await claim(launching, spec, server, { installationId: 'ins', isThere: async () => true })).toMatchObject({
      its: true,
    })
    expect(await launching.keep(server)).toBe(true)
    let calls = 0
    const outcome = await withdraw(
      nodeOn(cluster, () => calls++ === call),
      spec,
      server,
    ).catch(String)
    const name = gameServerName('ins', spec.instanceId, spec.attempt)
    const { metadata } = cluster.api.store.get(GAMESERVERS, cluster.namespace, name)
    expect([call, isKept(metadata), metadata.deletionTimestamp]).toEqual([call, true, undefined])
    if (outcome === false) break
    expect(outcome).toMatch(/it is dead/)
  }
})
