import { startPooler } from '@matchyard/storage-postgres/testing'
import { type Cluster, type Ground, startCluster } from '../src/many-nodes/cluster'
import { DUEL, play } from './played-matches'
import { pidsOf, usedBy } from './processor-time'

/**
 * `npm run bench -- nodes-cost`: the processor's time for one match, from a player's lobby to `in_game`, on one node and on three that
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

interface Scene {
  readonly name: string
  readonly nodes: number
  /** Through a PgBouncer in transaction mode. */
  readonly isPooled: boolean
}
const ONE: Scene = { name: 'one node', nodes: 1, isPooled: false }
const THREE: Scene = { name: 'three', nodes: 3, isPooled: false }
/** `BENCH_POOLER`: three nodes with a pooler in front of the database, beside three without. */
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

/** All nodes by way of one pooler, and their signals beside it. */
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
