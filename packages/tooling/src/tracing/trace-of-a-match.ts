import { randomBytes } from 'node:crypto'
import { play } from '@matchyard/example-demo'
import { type Cluster, startCluster } from '../many-nodes/cluster'
import { Collector } from './collector'

/** Two nodes on one PostgreSQL, and the collector that receives the spans of both nodes. */
export interface TracedCluster {
  readonly cluster: Cluster
  readonly collector: Collector
  stop(): Promise<void>
}

export async function startTracedCluster(): Promise<TracedCluster> {
  const collector = new Collector()
  const endpoint = await collector.start()
  const cluster = await startCluster(2, {
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_SCHEDULE_DELAY: '100' },
  })
  const stop = async () => {
    await cluster.stop()
    await collector.stop()
  }
  return { cluster, collector, stop }
}

/**
 * Plays the demo match with traced calls: the calls of a player belong to that player's trace. The parties enter the
 * queue on different nodes, so at least one party enters on a node that does not make the match. Returns the trace ids
 * of the players.
 */
export async function playTraced(cluster: Cluster): Promise<readonly string[]> {
  const anyNode = 'http://any-node.test'
  const traces = new Map<string, string>()
  let entries = 0
  const traceOf = (player: string) => {
    const known = traces.get(player) ?? randomBytes(16).toString('hex')
    traces.set(player, known)
    return known
  }
  const inTrace: typeof fetch = (url, init) => {
    const headers = new Headers(init?.headers)
    headers.set('traceparent', `00-${traceOf(headers.get('x-player-id') ?? '')}-${randomBytes(8).toString('hex')}-01`)
    const enters = init?.method === 'POST' && String(url).endsWith('/queue')
    const { baseUrl } = cluster.node(enters ? entries++ : 0)
    return fetch(String(url).replace(anyNode, baseUrl), { ...init, headers })
  }
  const credentials = { base_url: anyNode, client_key: cluster.clientKey, server_key: cluster.serverKey }
  await play(credentials, undefined, { fetch: inTrace })
  return [...traces].flatMap(([player, id]) => (player === '' ? [] : [id]))
}
