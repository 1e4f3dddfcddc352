import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { testCluster } from '@matchyard/orchestrator/agones/testing'
import { eventually } from '../src/eventually'
import { type Cluster, startCluster } from '../src/many-nodes/cluster'
import { pidsOf, used, usedBy } from './processor-time'

/**
 * `npm run bench -- servers-at-rest`: CPU time of a node and of its PostgreSQL while game servers run with Agones and
 * nothing else happens, and per launch (needs a build). The nodes are real `matchyard serve` processes; the cluster is
 * the test kit's, in this process.
 */
const COUNTS = (process.env.BENCH_RUNNING ?? '0,1000,2000').split(',').map(Number)
const NODES = Number(process.env.BENCH_NODES ?? 1)
const AT_ONCE = 32
/** Launches at a time. A larger batch would not start completely within the launch timeout. */
const BATCH = 500
/** Launches beside the running servers, which are measured separately. */
const MEASURED = 200
const SETTLES_MS = 10_000
const RESTS_MS = 20_000
const SECOND_MS = 1_000
const IMAGE = `registry.test/arena@sha256:${'a'.repeat(64)}`

interface Cost {
  readonly node: number
  readonly database: number
}

/** Returns the CPU milliseconds of one node and of the database while `work` runs. */
async function costOf({ nodes, database }: Cluster, work: () => Promise<unknown>): Promise<Cost> {
  const now = () => ({
    node: nodes.reduce((sum, { pid }) => sum + used(pid), 0) / nodes.length,
    database: usedBy(pidsOf('postgres', database.url)),
  })
  const before = now()
  await work()
  const after = now()
  return { node: after.node - before.node, database: after.database - before.database }
}

const running = async ({ door }: Cluster) =>
  Number((await door.query<{ count: string }>(`select count(*) from server where status = 'running'`))[0]?.count ?? 0)

/** Launches `count` more game servers and waits until all of them run. */
async function launch(cluster: Cluster, count: number): Promise<void> {
  for (let left = count; left > 0; left -= BATCH) await launchAtOnce(cluster, Math.min(BATCH, left))
}

async function launchAtOnce(cluster: Cluster, count: number): Promise<void> {
  const target = (await running(cluster)) + count
  let left = count
  const body = { version_tag: 'arena', network_ports: [{ name: 'game', protocol: 'udp', internal_port: 7_777 }] }
  const caller = async () => {
    while (left-- > 0) {
      const answer = await cluster.next().call({ method: 'POST', path: '/v1/servers', key: cluster.serverKey, body })
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, caller))
  await eventually(
    () => running(cluster),
    (now) => now >= target,
    600_000,
  )
}

const agones = await testCluster()
const folder = mkdtempSync(join(tmpdir(), 'servers-at-rest-'))
const kubeconfig = join(folder, 'kubeconfig')
const settings = join(folder, 'agones.json')
writeFileSync(kubeconfig, agones.kubeconfig(), { mode: 0o600 })
writeFileSync(settings, JSON.stringify({ installation: 'at-rest', kubeconfig, registries: ['*'] }))
const cluster = await startCluster(NODES, {
  environment: { ORCHESTRATOR: 'agones', AGONES_CONFIG: settings, LOG_LEVEL: 'info' },
})
try {
  const build = { name: 'arena', image_url: IMAGE }
  await cluster.next().call({ method: 'POST', path: '/v1/builds/docker-image', key: cluster.serverKey, body: build })
  await pause(2 * SECOND_MS)
  console.log(`${NODES} node(s); for each: node, PostgreSQL`)
  console.log('| game servers | a second at rest | a launch beside them |\n|---|---|---|')
  for (const count of COUNTS) {
    await launch(cluster, Math.max(0, count - (await running(cluster))))
    await pause(SETTLES_MS)
    const rest = await costOf(cluster, () => pause(RESTS_MS))
    const one = await costOf(cluster, () => launch(cluster, MEASURED))
    const each = ({ node, database }: Cost, parts: number) =>
      `${(node / parts).toFixed(1)} ms, ${(database / parts).toFixed(1)} ms`
    console.log(`| ${count.toLocaleString('en')} | ${each(rest, RESTS_MS / SECOND_MS)} | ${each(one, MEASURED)} |`)
  }
} finally {
  await cluster.stop()
  await agones.close()
  rmSync(folder, { recursive: true, force: true })
}
