import { type Network, startProxy } from '@matchyard/storage-postgres/testing'
import { type Cluster, startCluster } from '../../../src/many-nodes/cluster'
import type { NodeProcess } from '../../../src/many-nodes/node-process'
import type { HarmFigure, HarmRow } from '../row'

const SILENCE_MS = 15_000
const QUIET_MS = 3_000
const CALL_EVERY_MS = 100
/** Milliseconds after which a call without an answer, or a process that has not ended, counts as this long. */
const PATIENCE_MS = 60_000
/** Consecutive calls with the expected answer that prove the service works again. */
const IN_A_ROW = 10

/**
 * The network between the service and PostgreSQL drops all packets for some time, and the connections of that time stay
 * dead.
 */
export const row: HarmRow = {
  name: 'silent-database',
  harm: `PostgreSQL behind a network that is silent for ${SILENCE_MS / 1_000} s, without a reset`,
  async run(): Promise<readonly HarmFigure[]> {
    let network: Network | undefined
    const cluster = await startCluster(1, {
      between: async (url) => {
        network = await startProxy(url)
        return network.url
      },
    })
    if (network === undefined) throw new Error('the cluster starts behind the network')
    try {
      return await measure(cluster, cluster.node(0), network)
    } finally {
      network.answerAgain()
      await cluster.stop()
      await network.stop()
    }
  },
}

async function measure(cluster: Cluster, node: NodeProcess, network: Network): Promise<readonly HarmFigure[]> {
  const queue = { queue_id: 'duel', name: 'Duel' }
  await node.call({ method: 'POST', path: '/v1/queues', key: cluster.serverKey, body: queue })
  const quiet = await watch(node, QUIET_MS)
  const quietStop = await stopped(node)
  await node.start()
  await watch(node, QUIET_MS)
  network.fallSilent()
  const silence = watch(node, SILENCE_MS)
  await pause(SILENCE_MS)
  network.answerAgain()
  const backMs = await untilWorking(node)
  const silent = await silence
  network.fallSilent()
  await pause(1_000)
  const silentStop = await stopped(node)
  return [
    { what: 'longest look at /livez', unit: 'ms', quiet: quiet.livezMs, attacked: silent.livezMs },
    { what: 'longest call', unit: 'ms', quiet: quiet.callMs, attacked: silent.callMs },
    { what: 'median call', unit: 'ms', quiet: quiet.medianMs, attacked: silent.medianMs },
    { what: 'from the return of the network until all works', unit: 'ms', quiet: 0, attacked: backMs },
    { what: 'SIGTERM to exit', unit: 'ms', quiet: quietStop, attacked: silentStop },
  ]
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

let calls = 0
/** Creates a lobby, which needs a commit. Returns how long the answer took and whether it was the expected one. */
async function createLobby(node: NodeProcess): Promise<{ ms: number; works: boolean }> {
  const call = { method: 'POST', path: '/v1/lobbies', player: `player_${++calls}`, body: { queue_id: 'duel' } }
  return timed(node.call(call).then(({ status }) => status === 201))
}

const look = (node: NodeProcess, path: string) =>
  timed(fetch(`${node.baseUrl}${path}`).then((answer) => answer.arrayBuffer().then(() => answer.ok)))

async function timed(answer: Promise<boolean>): Promise<{ ms: number; works: boolean }> {
  const startedAt = performance.now()
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, PATIENCE_MS, false).unref())
  const works = await Promise.race([answer.catch(() => false), late])
  return { ms: performance.now() - startedAt, works }
}

/** Creates lobbies and calls `/livez` at a steady rate for `forMs` milliseconds, and waits for all answers. */
async function watch(node: NodeProcess, forMs: number) {
  const [made, looks]: Promise<{ ms: number }>[][] = [[], []]
  for (const until = performance.now() + forMs; performance.now() < until; ) {
    made?.push(createLobby(node))
    looks?.push(look(node, '/livez'))
    await pause(CALL_EVERY_MS)
  }
  const inOrder = async (all: readonly Promise<{ ms: number }>[] = []) =>
    (await Promise.all(all)).map(({ ms }) => ms).sort((a, b) => a - b)
  const [callsMs, livezMs] = await Promise.all([inOrder(made), inOrder(looks)])
  return {
    callMs: callsMs.at(-1) ?? 0,
    medianMs: callsMs[Math.floor(callsMs.length / 2)] ?? 0,
    livezMs: livezMs.at(-1) ?? 0,
  }
}

async function untilWorking(node: NodeProcess): Promise<number> {
  const startedAt = performance.now()
  for (let inARow = 0; inARow < IN_A_ROW && performance.now() - startedAt < 2 * PATIENCE_MS; ) {
    const all = await Promise.all([createLobby(node), look(node, '/readyz')])
    inARow = all.every(({ works }) => works) ? inARow + 1 : 0
  }
  return performance.now() - startedAt
}

async function stopped(node: NodeProcess): Promise<number> {
  const startedAt = performance.now()
  await node.end('SIGTERM', PATIENCE_MS)
  return performance.now() - startedAt
}
