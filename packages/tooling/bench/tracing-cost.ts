import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Cluster, startCluster } from '../src/many-nodes/cluster'
import { compared, PAIRS, sentenceOf } from './against/statistics'
import { DUEL, play } from './played-matches'
import { used } from './processor-time'

/**
 * `npm run bench -- tracing-cost`: a node's CPU time per match, from a player's lobby to `in_game` (needs a build).
 * Three nodes, each with a PostgreSQL of its own, play in turn: with all traces collected, with one of a hundred, and
 * without tracing.
 */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? PAIRS)
const MATCHES = Number(process.env.BENCH_MATCHES ?? 300)
const WARM_UP = Number(process.env.BENCH_WARM_UP ?? 800)
const AT_ONCE = 16

/** Receives the traces in this process, so that the collector's cost is not part of the node's. */
const collector = createServer((request, response) => {
  request.resume().on('end', () => response.end())
})
await new Promise<void>((listening) => collector.listen(0, '127.0.0.1', listening))
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
const sampled = (share: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: share,
})
const SIDES = { 'without tracing': {}, 'one of a hundred': sampled('0.01'), 'every trace': sampled('1') }

const clusters = new Map<string, Cluster>()
for (const [name, tracing] of Object.entries(SIDES)) {
  const cluster = await startCluster(1, { environment: { ORCHESTRATOR: 'none', LOG_LEVEL: 'info', ...tracing } })
  await cluster.next().call({ method: 'POST', path: '/v1/queues', key: cluster.serverKey, body: DUEL })
  await play(cluster, WARM_UP, AT_ONCE)
  clusters.set(name, cluster)
}

const costs = new Map<string, number[]>([...clusters.keys()].map((name) => [name, []]))
try {
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, cluster] of clusters) {
      const [node] = cluster.nodes
      if (node === undefined) throw new Error('there is no node')
      const before = used(node.pid)
      await play(cluster, MATCHES, AT_ONCE)
      costs.get(name)?.push((used(node.pid) - before) / MATCHES)
    }
} finally {
  for (const cluster of clusters.values()) await cluster.stop()
  collector.close()
}

const [[, base] = ['', []], ...others] = [...costs]
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
console.log(
  `without tracing: ${median(base).toFixed(2)} ms of the processor for a match (${ROUNDS} rounds of ${MATCHES})`,
)
for (const [name, values] of others) {
  const ratios = values.map((value, round) => value / (base[round] ?? Number.NaN))
  console.log(`${name}: ${median(values).toFixed(2)} ms, beside it ${sentenceOf(compared(ratios))}`)
}
