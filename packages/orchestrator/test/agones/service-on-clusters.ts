import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LaunchSpec, Orchestrator, WarmPool } from '@matchyard/core/ports'
import { FakeLogger } from '@matchyard/testkit'
import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import { agonesOrchestrator } from '../../src/agones/agones-orchestrator'
import { REAL_TIME, type TestCluster, type TestClusterOptions, testCluster } from '../../src/agones/testing/cluster'
import { GAMESERVERS, type KubeObject, PODS, type Resource } from '../../src/agones/testing/kubernetes/objects'
import { launchSpec } from './launch-spec'

const { eventually } = orchestratorProbe

interface Options extends TestClusterOptions {
  /**
   * Regions, each with its own cluster. The first cluster also runs all regions that no other cluster is named after.
   */
  readonly regions?: readonly string[]
}

/**
 * Starts one or several clusters with one region each, for a service whose clock the test can move. `ending`: gets the
 * functions that close everything.
 */
export async function serviceOnClusters(ending: (() => unknown)[], { regions = ['iad'], ...options }: Options = {}) {
  let turned = 0
  const now = () => Date.now() + turned
  const clusters: TestCluster[] = []
  for (const _ of regions) {
    const one = await testCluster({ time: { ...REAL_TIME, now }, ...options })
    ending.push(() => one.close())
    clusters.push(one)
  }
  const folder = mkdtempSync(join(tmpdir(), 'clusters-'))
  ending.push(() => rmSync(folder, { recursive: true, force: true }))
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, merged(regions, clusters), { mode: 0o600 })
  const logger = new FakeLogger()
  const start = async (): Promise<Orchestrator> => {
    const named = Object.fromEntries(regions.map((region) => [region, region]))
    const one = agonesOrchestrator({ installationId: 'ins', kubeconfig, regions: named, clock: { now }, logger })
    ending.push(() => one.close())
    await one.open()
    return one
  }
  const turn = (ms: number) => {
    turned += ms
  }
  const [cluster] = clusters
  if (cluster === undefined) throw new Error('no region is named')
  const all = (of: Resource): KubeObject[] => cluster.api.store.list(of, cluster.namespace)
  return { cluster, clusters, start, turn, logger, all, now }
}

/** Returns one kubeconfig with a context for each region. */
function merged(regions: readonly string[], clusters: readonly TestCluster[]): string {
  const each = regions.map((region, index) => ({ region, ...JSON.parse(clusters[index]?.kubeconfig(region) ?? '') }))
  const [first] = each
  return JSON.stringify({
    ...first,
    clusters: each.map(({ region, clusters: [one] }) => ({ ...one, name: region })),
    contexts: each.map(({ region, contexts: [one] }) => ({ ...one, context: { ...one.context, cluster: region } })),
  })
}

const { instanceId: _, attempt: __, matchId: ___, networkPorts: ____, config: _____, ...shape } = launchSpec()
export const warmPool = (more: Partial<WarmPool> = {}): WarmPool => ({ ...shape, min: 0, buffer: 1, ...more })

/** Asks for the pools again and again, until the given numbers of game servers wait. */
export const untilWaiting = (orchestrator: Orchestrator, pools: readonly WarmPool[], counts: readonly number[]) =>
  eventually(`${counts} wait`, async () => {
    const there = await orchestrator.keepWarm(pools)
    return there.map(({ ready }) => ready.length).join() === counts.join() || undefined
  })

export const untilObserved = (orchestrator: Orchestrator, { instanceId }: LaunchSpec, state: string) =>
  eventually(`${instanceId} is ${state}`, async () => {
    const found = (await orchestrator.observe(instanceId)).filter((one) => one.instanceId === instanceId)
    return found.length === 1 && found[0]?.state === state ? found[0] : undefined
  })

/** Writes an object as another client of the cluster may do. */
export const written = (
  { api, namespace }: TestCluster,
  of: Resource,
  name: string,
  change: (one: KubeObject) => void,
) =>
  api.store.update(of, namespace, name, (object) => {
    change(object)
    return object
  })

export { eventually, GAMESERVERS, PODS }
