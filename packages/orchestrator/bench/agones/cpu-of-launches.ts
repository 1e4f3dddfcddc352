import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { TOKEN } from '../../src/agones/testing/index'
import { SERVERS } from '../../test/agones/api-client'
import type { Said } from './cluster'
import { AT_ONCE, Game, inParallel } from './game'

/** Milliseconds after which the game servers that just ended are forgotten. */
const SETTLES_MS = 3_000
const IDLE_MS = 10_000

/** Cost of one life: a game server is launched, runs, is asked to stop, and is forgotten. */
export interface Cost {
  /** Processor time of all nodes together, in milliseconds. */
  readonly msOfCpu: number
  readonly calls: number
  /**
   * Processor time of as many bare calls by Node's own client, in milliseconds: each is a GET of one game server, with
   * its answer parsed.
   */
  readonly bareMsOfCpu: number
}

/**
 * Measures the processor time of lives on a service of some nodes. All nodes are in this process and share one memory
 * storage.
 */
export const cpuOfLives = (nodes: number, lives: number): Promise<Cost> =>
  onCluster(nodes, async (game, { url, callsSoFar }) => {
    await inParallel(lives / 4, () => game.live())
    await game.launch() // the bare calls read this game server
    await pause(SETTLES_MS)
    const calls = await callsSoFar()
    const ms = await msOfCpuOf(async () => {
      await inParallel(lives, () => game.live())
      await pause(SETTLES_MS)
    })
    const each = ((await callsSoFar()) - calls) / lives
    await game.stop()
    return { msOfCpu: ms / lives, calls: each, bareMsOfCpu: (await bareCalls(url, each * lives)) / lives }
  })

/**
 * Returns the milliseconds of processor time per second that one node takes while game servers run and nothing else
 * happens.
 */
export const cpuOfRunning = (servers: number): Promise<number> =>
  onCluster(1, async (game) => {
    await inParallel(servers, () => game.launch())
    await pause(SETTLES_MS)
    // The garbage of the launches is not a cost of running game servers.
    globalThis.gc?.()
    await pause(SETTLES_MS)
    const ms = await msOfCpuOf(() => pause(IDLE_MS))
    await game.stop()
    return ms / (IDLE_MS / 1_000)
  })

interface Reached {
  readonly url: string
  readonly callsSoFar: () => Promise<number>
}

/** Starts a cluster in its own process, and runs `work` with nodes that reach it over real connections. */
async function onCluster<T>(nodes: number, work: (game: Game, cluster: Reached) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'agones-bench-'))
  const cluster = fork(fileURLToPath(new URL('cluster.ts', import.meta.url)))
  const told = async () => ((await once(cluster, 'message')) as [Said])[0]
  try {
    const { url, kubeconfig: text } = await told()
    const kubeconfig = join(folder, 'kubeconfig')
    writeFileSync(kubeconfig, text, { mode: 0o600 })
    const callsSoFar = async () => {
      cluster.send('calls')
      return (await told()).calls
    }
    return await work(await Game.start(nodes, kubeconfig), { url, callsSoFar })
  } finally {
    cluster.disconnect()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the milliseconds of processor time that this process takes until the work is done. */
async function msOfCpuOf(work: () => Promise<unknown>): Promise<number> {
  const from = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1_000
}

/** Returns the milliseconds of processor time of bare calls; as many run at once as lives do. */
async function bareCalls(url: string, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const headers = { authorization: `Bearer ${TOKEN}` }
  const ask = <T>(path: string) =>
    new Promise<T>((resolve, reject) => {
      const sent = get(`${url}${SERVERS}${path}`, { agent, headers }, async (answer) => {
        let text = ''
        for await (const chunk of answer) text += String(chunk)
        resolve(JSON.parse(text) as T)
      })
      sent.on('error', reject)
    })
  const { items } = await ask<{ items: { metadata: { name: string } }[] }>('?limit=1')
  const path = `/${items[0]?.metadata.name}`
  await inParallel(200, () => ask(path))
  const ms = await msOfCpuOf(() => inParallel(count, () => ask(path)))
  agent.destroy()
  return ms
}
