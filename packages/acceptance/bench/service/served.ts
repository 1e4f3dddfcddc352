import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { HarmWorld } from '../harm/world'

const CONTROL = fileURLToPath(new URL('./control.mjs', import.meta.url))
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

  private async ask<T>(ask: string): Promise<T> {
    this.process.send({ ask })
    const [answer] = (await once(this.process, 'message')) as [T]
    return answer
  }
}

/** A real `matchyard dev` on a folder of its own. */
export interface Ours extends AsyncDisposable {
  readonly world: HarmWorld
  readonly served: Served
}

export async function startOurs(env: Record<string, string> = {}): Promise<Ours> {
  const world = await HarmWorld.start({ wrap: WRAP, env: { LOG_LEVEL: 'warn', ...env }, preload: CONTROL })
  const served = new Served(Number(new URL(world.baseUrl).port), world.process)
  return { world, served, [Symbol.asyncDispose]: () => world.stop() }
}

/** A bare Hono beside it: parses and echoes what is posted, answers `json` to what is got. */
export async function startBare(json: string): Promise<Served> {
  const [command = '', ...args] = [...WRAP, process.execPath, '--import', CONTROL, BARE]
  const child = spawn(command, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, JSON_TO_ANSWER: json },
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return new Served(port, child)
}
