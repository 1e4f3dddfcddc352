import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { HarmWorld } from '../harm/world'
import { type Amount, runLoad, type Work } from './load'
import { SECONDS } from './row'

export const CONTROL = fileURLToPath(new URL('./control.mjs', import.meta.url))
const STREAMS = fileURLToPath(new URL('../../../http/bench/raw-streams.mjs', import.meta.url))
const ROOMS = fileURLToPath(new URL('../../../matchmaking/bench/colyseus-rooms.mjs', import.meta.url))
const BARE = fileURLToPath(new URL('../../../http/bench/bare-server.mjs', import.meta.url))

/** CPU cores: the servers use one and the load uses another, when processes can be pinned. */
const [SERVER_CORE, LOAD_CORE] = ['0', '1']
const pinned = spawnSync('taskset', ['-acp', LOAD_CORE, String(process.pid)]).status === 0
export const WRAP: readonly string[] = pinned ? ['taskset', '-c', SERVER_CORE] : []
export const PLACE = pinned
  ? 'each server on one core, the load on another'
  : 'not pinned: servers and load share all cores'

/** A server in a process of its own that reports its CPU time and memory. */
export class Served {
  constructor(
    readonly port: number,
    private readonly process: ChildProcess,
  ) {}

  async cpuMicros(): Promise<number> {
    return (await this.ask<{ cpuMicros: number }>('cpu')).cpuMicros
  }

  /** Returns the memory use after a garbage collection. */
  memory(): Promise<NodeJS.MemoryUsage> {
    return this.ask<NodeJS.MemoryUsage>('memory')
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null) return
    this.process.kill('SIGKILL')
    await once(this.process, 'exit')
  }

  private ask = <T>(ask: string) => this.tell<T>({ ask })

  /** Sends a message to the server's program and returns its answer. */
  async tell<T>(message: object): Promise<T> {
    this.process.send(message)
    const [answer] = (await once(this.process, 'message')) as [T]
    return answer
  }
}

/** A real `matchyard dev` on a folder of its own. */
export interface Ours extends AsyncDisposable {
  readonly world: HarmWorld
  readonly served: Served
}

/** Starts the service. Its folder is removed when it is disposed of, even a given `directory`. */
export async function startOurs(env: Record<string, string> = {}, directory?: string): Promise<Ours> {
  const world = await HarmWorld.start({ wrap: WRAP, env: { LOG_LEVEL: 'warn', ...env }, preload: CONTROL, directory })
  const served = new Served(Number(new URL(world.baseUrl).port), world.process)
  return { world, served, [Symbol.asyncDispose]: () => world.stop() }
}

/**
 * Starts a bare Hono server for comparison: echoes each POST body after parsing it, and answers each GET with `json`.
 */
export async function startBare(json: string): Promise<Served> {
  return startProgram(BARE, { JSON_TO_ANSWER: json })
}

/** Starts Colyseus for comparison, with rooms of the same size and no other work. */
export const startColyseus = () => startProgram(ROOMS)

/** Starts a raw loop that writes each posted body to all readers. */
export const startRawStreams = () => startProgram(STREAMS)

async function startProgram(path: string, env: Record<string, string> = {}): Promise<Served> {
  const [command = '', ...args] = [...WRAP, process.execPath, '--import', CONTROL, path]
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env: { ...process.env, ...env } })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return new Served(port, child)
}

/** Returns the calls per second of a load, and the server's CPU microseconds per call. */
export async function loaded(
  server: Served,
  work: Work,
  amount: Amount = { seconds: SECONDS },
): Promise<{ rate: number; micros: number }> {
  const before = await server.cpuMicros()
  const { calls, seconds } = await runLoad(server.port, work, amount)
  return { rate: calls / seconds, micros: ((await server.cpuMicros()) - before) / calls }
}
