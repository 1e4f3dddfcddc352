import { readdirSync, readFileSync } from 'node:fs'
import { type Cluster, startCluster } from '../src/many-nodes/cluster'
import { DUEL, play, used } from './played-matches'

/**
 * `npm run bench:nodes-cost`: the processor's time for one match, from a player's lobby to `in_game`, on one node and on three that
 * share a PostgreSQL, in turn (needs a build). Waiting costs nothing here, so other work on the machine changes little.
 */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const MATCHES = Number(process.env.BENCH_MATCHES ?? 500)
/** On each node: a process that is young spends most of its time on compiling, and three of them three times as much. */
const WARM_UP = Number(process.env.BENCH_WARM_UP ?? 400)
/**
 * Calls under way on each node: commits that come together are one transaction, so what a match costs depends on it. `BENCH_SAME_LOAD`: as many
 * on three nodes in all as on one.
 */
const AT_ONCE = 16
const IS_SAME_LOAD = process.env.BENCH_SAME_LOAD !== undefined
interface Cost {
  readonly nodes: number
  readonly database: number
}

/** The processes of the test's own PostgreSQL: the one with its folder on the line, and its children. */
function databasePids(url: string): number[] {
  const folder = new URL(url).searchParams.get('host') ?? ''
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  const [main] = pids.filter((pid) => {
    const line = read(`/proc/${pid}/cmdline`)
    return line.includes(folder) && /^[^\0]*postgres\0/.test(line)
  })
  return main === undefined ? [] : [main, ...read(`/proc/${main}/task/${main}/children`).split(' ').map(Number)]
}

const read = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const costOf = ({ nodes, database }: Cluster): Cost => ({
  nodes: nodes.reduce((sum, { pid }) => sum + used(pid), 0),
  database: databasePids(database.url).reduce((sum, pid) => sum + used(pid), 0),
})

async function measure(count: number): Promise<Cost> {
  const cluster = await startCluster(count, { environment: { ORCHESTRATOR: 'none', LOG_LEVEL: 'info' } })
  try {
    const callers = AT_ONCE * (IS_SAME_LOAD ? 1 : count)
    await cluster.next().call({ method: 'POST', path: '/v1/queues', key: cluster.serverKey, body: DUEL })
    await play(cluster, WARM_UP * count, callers)
    const before = costOf(cluster)
    await play(cluster, MATCHES, callers)
    const after = costOf(cluster)
    return {
      nodes: (after.nodes - before.nodes) / MATCHES,
      database: (after.database - before.database) / MATCHES,
    }
  } finally {
    await cluster.stop()
  }
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const costs = new Map<number, Cost[]>([
  [1, []],
  [3, []],
])
for (let round = 0; round < ROUNDS; round++)
  for (const [count, seen] of costs) {
    const cost = await measure(count)
    seen.push(cost)
    console.log(
      `${count} node${count === 1 ? ' ' : 's'}: ${cost.nodes.toFixed(2)} ms in nodes, ${cost.database.toFixed(2)} ms in PostgreSQL, for a match`,
    )
  }
const sum = (count: number) => median((costs.get(count) ?? []).map(({ nodes, database }) => nodes + database))
const inNodes = (count: number) => median((costs.get(count) ?? []).map(({ nodes }) => nodes))
console.log(
  `three beside one: ${(sum(3) / sum(1)).toFixed(2)} in all, ${(inNodes(3) / inNodes(1)).toFixed(2)} in the nodes (medians of ${ROUNDS}, ${MATCHES} matches each)`,
)
