import type { KubeConfig } from '@kubernetes/client-node'
import type { Logger } from '@matchyard/core/ports'
import { Cluster, type ClusterSettings } from './cluster'
import { KubeClient, type Pauses } from './kube/client'
import { type Connection, connectionOf } from './kube/connection'
import { impatient } from './kube/impatient'
import { kubeconfigReader, useContext } from './kube/kubeconfig'

/** Which clusters there are, and how they are reached. */
export interface ClusterChoice {
  /** A kubeconfig file, or a list of them as in KUBECONFIG; left out, what `kubectl` would take, and in a pod its service account. */
  readonly kubeconfig?: string | undefined
  /** Where game servers are; left out, the context's own, or `default`. */
  readonly namespace?: string | undefined
  /** The context of all regions that are not named; left out, the kubeconfig's current one. */
  readonly context?: string | undefined
  /**
   * The context of a region. Where regions are named and `context` is not, others are not run. A region is given another context only while none of
   * its servers play: they are looked for where the region is.
   */
  readonly regions?: Readonly<Record<string, string>> | undefined
}

/** How one context is reached; a test may come in between. */
export type Connect = (config: KubeConfig) => Connection

/** A client for each context that is named. Throws a TypeError that says what is wrong with the configuration. */
export async function clientsOf(
  choice: ClusterChoice,
  pauses: Pauses,
  connect: Connect = connectionOf,
): Promise<{
  readonly clients: ReadonlyMap<string, KubeClient>
  readonly contextOf: (region: string) => string | undefined
}> {
  const read = await kubeconfigReader(choice.kubeconfig)
  const regions = choice.regions ?? {}
  const hasRegions = Object.keys(regions).length > 0
  const usual = choice.context ?? (hasRegions ? undefined : read().getCurrentContext())
  const contexts = new Set([...(usual === undefined ? [] : [usual]), ...Object.values(regions)])
  const clients = new Map<string, KubeClient>()
  for (const context of contexts) {
    const config = read()
    const found = config.getContextObject(context)
    if (found === null) throw new TypeError(`the kubeconfig has no context "${context}"`)
    useContext(config, context)
    const namespace = choice.namespace ?? found.namespace ?? 'default'
    clients.set(context, new KubeClient(impatient(connect(config)), namespace, pauses))
  }
  return { clients, contextOf: (region) => regions[region] ?? usual }
}

export async function clustersOf(
  choice: ClusterChoice,
  settings: ClusterSettings,
  pauses: Pauses,
  logger: Logger,
  connect?: Connect,
): Promise<{
  readonly clusters: ReadonlyMap<string, Cluster>
  readonly clusterOf: (region: string) => Cluster | undefined
}> {
  const { clients, contextOf } = await clientsOf(choice, pauses, connect)
  const clusters = new Map(
    [...clients].map(([context, client]) => [context, new Cluster(context, client, settings, pauses, logger)]),
  )
  return { clusters, clusterOf: (region) => clusters.get(contextOf(region) ?? '') }
}
