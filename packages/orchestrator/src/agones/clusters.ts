import type { KubeConfig } from '@kubernetes/client-node'
import type { Logger } from '@matchyard/core/ports'
import { Cluster, type ClusterSettings } from './cluster'
import { KubeClient, type Pauses } from './kube/client'
import { type Connection, connectionOf } from './kube/connection'
import { impatient } from './kube/impatient'
import { kubeconfigReader, useContext } from './kube/kubeconfig'

/** Options that choose the clusters of an installation and the connections to them. */
export interface ClusterChoice {
  /**
   * Path of a kubeconfig file, or a list of paths as in the variable KUBECONFIG. Default: the file that `kubectl` would
   * use; in a pod, the pod's service account.
   */
  readonly kubeconfig?: string | undefined
  /** Namespace of the game servers. Default: the namespace of the kubeconfig's context, or `default`. */
  readonly namespace?: string | undefined
  /**
   * Context of the kubeconfig for all regions that `regions` does not contain. Default: no context when `regions`
   * contains some regions, otherwise the kubeconfig's current context.
   */
  readonly context?: string | undefined
  /**
   * Context of the kubeconfig for each region. When `regions` is set and `context` is not, no servers run in other
   * regions. Change the context of a region only while the region has no game servers: the service looks for servers in
   * the cluster of their region.
   */
  readonly regions?: Readonly<Record<string, string>> | undefined
}

/** Opens the connection to the cluster of a configuration's current context. Tests replace this function. */
export type Connect = (config: KubeConfig) => Connection

/**
 * Returns a client for each context that the options contain. Rejects with a TypeError that describes the fault of the
 * configuration.
 */
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
