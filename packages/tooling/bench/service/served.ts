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

/** The servers have a core of their own where that can be had, and the load has another. */
const [SERVER_CORE, LOAD_CORE] = ['0', '1']
const pinned = spawnSync('taskset', ['-acp', LOAD_CORE, String(process.pid)]).status === 0
export const WRAP: readonly string[] = pinned ? ['taskset', '-c', SERVER_CORE] : []
export const PLACE = pinned
  ? 'each server on one core, the load on another'
  : 'not pinned: servers and load share all cores'

/** A server in a process of its own that says what it uses. */
export class Served {
  constructor(
    readonly port: number,
    private readonly process: ChildProcess,
  ) {}

  async cpuMicros(): Promise<number> {
    return (await this.ask<{ cpuMicros: number }>('cpu')).cpuMicros
  }

  /** After a collection of garbage. */
  memory(): Promise<NodeJS.MemoryUsage> {
    return this.ask<NodeJS.MemoryUsage>('memory')
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null) return
    this.process.kill('SIGKILL')
    await once(this.process, 'exit')
  }

  private ask = <T>(ask: string) => this.tell<T>({ ask })

  /** What the program behind it answers to a message. */
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

/** Its folder goes when it is disposed of, also one that was there already. */
export async function startOurs(env: Record<string, string> = {}, directory?: string): Promise<Ours> {
  const world = await HarmWorld.start({ wrap: WRAP, env: { LOG_LEVEL: 'warn', ...env }, preload: CONTROL, directory })
  const served = new Served(Number(new URL(world.baseUrl).port), world.process)
  return { world, served, [Symbol.asyncDispose]: () => world.stop() }
}

/** A bare Hono beside it: parses and echoes what is posted, answers `json` to what is got. */
export async function startBare(json: string): Promise<Served> {
  return startProgram(BARE, { JSON_TO_ANSWER: json })
}

/** Colyseus beside it, with rooms of the same size and nothing else to do. */
export const startColyseus = () => startProgram(ROOMS)

/** A loop that writes what is posted to all who read. */
export const startRawStreams = () => startProgram(STREAMS)

async function startProgram(path: string, env: Record<string, string> = {}): Promise<Served> {
  const [command = '', ...args] = [...WRAP, process.execPath, '--import', CONTROL, path]
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env: { ...process.env, ...env } })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return new Served(port, child)
}

/** What a load comes to at a server: calls per second, and its processor time for each. */
export async function loaded(
  server: Served,
  work: Work,
  amount: Amount = { seconds: SECONDS },
): Promise<{ rate: number; micros: number }> {
  const before = await server.cpuMicros()
  const { calls, seconds } = await runLoad(server.port, work, amount)
  return { rate: calls / seconds, micros: ((await server.cpuMicros()) - before) / calls }
}
