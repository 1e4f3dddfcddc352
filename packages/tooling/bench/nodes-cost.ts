import { startPooler } from '@matchyard/storage-postgres/testing'
import { type Cluster, type Ground, startCluster } from '../src/many-nodes/cluster'
import { DUEL, play } from './played-matches'
import { pidsOf, usedBy } from './processor-time'

/**
 * `npm run bench -- nodes-cost`: CPU time per match, from a player's lobby to `in_game`, on one node and on three nodes
 * that share a PostgreSQL, in turn (needs a build). Waiting costs no CPU time, so other work on the machine changes the
 * result little.
 */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const MATCHES = Number(process.env.BENCH_MATCHES ?? 500)
/**
 * Matches on each node before the measurement. A young process uses most of its CPU time for compiling, and three nodes
 * do so three times.
 */
const WARM_UP = Number(process.env.BENCH_WARM_UP ?? 400)
/**
 * Calls in progress on each node. Concurrent commits share a transaction, so the cost of a match depends on this
 * number. With `BENCH_SAME_LOAD` three nodes together get as many calls as one node.
 */
const AT_ONCE = 16
const IS_SAME_LOAD = process.env.BENCH_SAME_LOAD !== undefined

interface Scene {
  readonly name: string
  readonly nodes: number
  /** Whether the nodes connect through a PgBouncer in transaction mode. */
  readonly isPooled: boolean
}
const ONE: Scene = { name: 'one node', nodes: 1, isPooled: false }
const THREE: Scene = { name: 'three', nodes: 3, isPooled: false }
/** `BENCH_POOLER` compares three nodes with a pooler in front of the database with three nodes without one. */
const [BASE, OTHER] =
  process.env.BENCH_POOLER === undefined
    ? ([ONE, THREE] as const)
    : ([THREE, { ...THREE, name: 'three behind PgBouncer', isPooled: true }] as const)

interface Cost {
  readonly nodes: number
  readonly database: number
  readonly pooler: number
}

const costOf = ({ nodes, database }: Cluster, poolerUrl: string | undefined): Cost => ({
  nodes: usedBy(nodes.map(({ pid }) => pid)),
  database: usedBy(pidsOf('postgres', database.url)),
  pooler: poolerUrl === undefined ? 0 : usedBy(pidsOf('pgbouncer', poolerUrl)),
})

/**
 * Returns an environment in which all nodes connect through one pooler, and listen for signals on direct connections.
 */
function behindPooler() {
  let starting: ReturnType<typeof startPooler> | undefined
  const ground: Ground = {
    listensBeside: true,
    async between(url) {
      starting ??= startPooler(url, { mode: 'transaction' })
      return (await starting).url
    },
    close: async () => (await starting)?.stop(),
  }
  return { ground, url: async () => (await starting)?.url }
}

async function measure({ nodes: count, isPooled }: Scene): Promise<Cost> {
  const pooled = isPooled ? behindPooler() : undefined
  const environment = { ORCHESTRATOR: 'none', LOG_LEVEL: 'info' }
  const cluster = await startCluster(count, { ...pooled?.ground, environment })
  try {
    const poolerUrl = await pooled?.url()
    const callers = AT_ONCE * (IS_SAME_LOAD ? 1 : count)
    await cluster.next().call({ method: 'POST', path: '/v1/queues', key: cluster.serverKey, body: DUEL })
    await play(cluster, WARM_UP * count, callers)
    const before = costOf(cluster, poolerUrl)
    await play(cluster, MATCHES, callers)
    const after = costOf(cluster, poolerUrl)
    const forOne = (part: keyof Cost) => (after[part] - before[part]) / MATCHES
    return { nodes: forOne('nodes'), database: forOne('database'), pooler: forOne('pooler') }
  } finally {
    await cluster.stop()
  }
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const costs = new Map<Scene, Cost[]>([
  [BASE, []],
  [OTHER, []],
])
for (let round = 0; round < ROUNDS; round++)
  for (const [scene, seen] of costs) {
    const cost = await measure(scene)
    seen.push(cost)
    const inPooler = scene.isPooled ? `, ${cost.pooler.toFixed(2)} ms in PgBouncer` : ''
    console.log(
      `${scene.name}: ${cost.nodes.toFixed(2)} ms in nodes, ${cost.database.toFixed(2)} ms in PostgreSQL${inPooler}, for a match`,
    )
  }
const sum = (scene: Scene) =>
  median((costs.get(scene) ?? []).map(({ nodes, database, pooler }) => nodes + database + pooler))
const inNodes = (scene: Scene) => median((costs.get(scene) ?? []).map(({ nodes }) => nodes))
console.log(
  `${OTHER.name} beside ${BASE.name}: ${(sum(OTHER) / sum(BASE)).toFixed(2)} in all, ${(inNodes(OTHER) / inNodes(BASE)).toFixed(2)} in the nodes (medians of ${ROUNDS}, ${MATCHES} matches each)`,
)
