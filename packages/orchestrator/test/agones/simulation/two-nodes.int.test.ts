import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeConfig } from '@kubernetes/client-node'
import type { LaunchResult, Orchestrator } from '@matchyard/core/ports'
import { FakeLogger } from '@matchyard/testkit'
import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import { afterEach, expect, test } from 'vitest'
import { agonesIn } from '../../../src/agones/agones-orchestrator'
import { type Connection, connectionOf, type KubeCall } from '../../../src/agones/kube/connection'
import { ANNOTATION } from '../../../src/agones/names'
import { ROLE_RULES } from '../../../src/agones/rights'
import { GAMESERVERS, type KubeObject, SECRETS, type TestCluster, testCluster } from '../../../src/agones/testing/index'
import { launchSpec } from '../launch-spec'

const { eventually } = orchestratorProbe
/** Distance of the places tried: every place under `npm run prove -- agones-simulation`, otherwise one in three. */
const STRIDE = process.env.MATCHYARD_SIMULATIONS === undefined ? 3 : 1
/** More calls than one launch makes. */
const MOST_CALLS = 60
const isClaiming = ({ method, path }: KubeCall) => method === 'POST' && path.includes('/secrets')
const spec = launchSpec({ config: { map: 'one' } })

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

/** A node that halts before one of its calls, until the test lets it continue. */
interface Node {
  readonly orchestrator: Orchestrator
  readonly standsStill: Promise<void>
  goOn(): void
  count(): void
}

async function nodeOf(cluster: TestCluster, stillBefore: number, before: (call: KubeCall) => void): Promise<Node> {
  let calls = Number.NEGATIVE_INFINITY
  let goOn = () => {}
  const released = new Promise<void>((resolve) => {
    goOn = resolve
  })
  let isStill = () => {}
  const standsStill = new Promise<void>((resolve) => {
    isStill = resolve
  })
  const connect = (config: KubeConfig): Connection => {
    const inner = connectionOf(config)
    return {
      server: inner.server,
      stream: (call) => inner.stream(call),
      async send(call) {
        if (calls++ === stillBefore) {
          isStill()
          await released
        }
        before(call)
        return inner.send(call)
      },
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'two-nodes-'))
  ending.push(() => rmSync(folder, { recursive: true, force: true }))
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
  const options = { installationId: 'ins', kubeconfig, clock: Date, logger: new FakeLogger() }
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.min(ms, 5)).unref())
  const orchestrator = agonesIn(options, {
    pauses: { now: () => performance.now(), pause },
    knock: async () => 'accepts',
    connect,
  })
  ending.push(() => orchestrator.close())
  await orchestrator.open()
  return {
    orchestrator,
    standsStill,
    goOn,
    count: () => {
      calls = 0
    },
  }
}

const asked = (node: Node): Promise<LaunchResult | 'threw'> => {
  node.count()
  return node.orchestrator.launch(spec).catch(() => 'threw' as const)
}
const isOk = (result: LaunchResult | 'threw'): boolean => result !== 'threw' && result.ok

/**
 * Launches one attempt on two nodes. A quota refuses the claim of the first node, which then deletes the game server
 * that it made and halts before one of its calls. The second node is not refused, and halts before one of its own
 * calls. Then the first node continues, and after it the second.
 */
async function twoNodes(first: number, second: number) {
  const cluster = await testCluster()
  ending.push(() => cluster.close())
  cluster.api.rules = ROLE_RULES
  const quotas = cluster.api.quotas
  const one = await nodeOf(cluster, first, (call) => isClaiming(call) && quotas.set('count/secrets', 0))
  const other = await nodeOf(cluster, second, (call) => isClaiming(call) && quotas.delete('count/secrets'))
  const ofOne = asked(one)
  const isFirstLast = await Promise.race([one.standsStill.then(() => false), ofOne.then(() => true)])
  const ofOther = asked(other)
  const isSecondLast = await Promise.race([other.standsStill.then(() => false), ofOther.then(() => true)])
  one.goOn()
  const results = [await ofOne]
  other.goOn()
  results.push(await ofOther)
  const place = `the first before its call ${first}, the second before its call ${second}: ${JSON.stringify(results)}`
  for (const result of results) if (result !== 'threw' && !result.ok) expect(result.reason, place).not.toBe('final')
  let isLaunched = results.some(isOk)
  await eventually(`it runs: ${place}`, async () => {
    const seen = (await other.orchestrator.observe(spec.instanceId)).filter(({ attempt }) => attempt === 1)
    if (isLaunched)
      expect(
        seen.map(({ state }) => state),
        place,
      ).not.toContain('exited')
    if (isLaunched) expect(seen, place).toHaveLength(1)
    if (seen[0]?.state === 'ready') return true
    if (!isLaunched) isLaunched = isOk(await asked(other))
    return undefined
  })
  const its = (of: typeof GAMESERVERS): KubeObject[] =>
    cluster.api.store
      .list(of, cluster.namespace)
      .filter(({ metadata }) => metadata.labels !== undefined && metadata.deletionTimestamp === undefined)
  const servers = its(GAMESERVERS).filter(({ metadata }) => metadata.annotations?.[ANNOTATION.instance] !== undefined)
  expect(servers, place).toHaveLength(1)
  const owners = its(SECRETS).flatMap(({ metadata }) => metadata.ownerReferences?.map(({ uid }) => uid) ?? [])
  expect(owners, place).toContain(servers[0]?.metadata.uid)
  // The game server keeps its finalizer, even if a node had removed it.
  expect(servers[0]?.metadata.finalizers, place).toContain('matchyard.dev/exit')
  expect(cluster.api.denied, place).toEqual([])
  for (const end of ending.splice(0).reverse()) await end()
  return { isFirstLast, isSecondLast }
}

test('of two nodes at one launch, of which one is refused its claim, the other one’s game server stays', {
  timeout: 600_000,
}, async () => {
  let first = Number(process.env.MATCHYARD_SEED ?? 0) % STRIDE
  let places = 0
  for (; first < MOST_CALLS; first += STRIDE) {
    let isLast = false
    for (let second = places % STRIDE; second < MOST_CALLS && !isLast; second += STRIDE) {
      places++
      const { isFirstLast, isSecondLast } = await twoNodes(first, second)
      isLast = isFirstLast
      if (isSecondLast) break
    }
    if (isLast) break
  }
  expect(places).toBeGreaterThan(20)
  expect(first).toBeLessThan(MOST_CALLS)
})
