import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Credentials as DemoCredentials } from '@matchyard/example-demo'
import { freePort } from '@matchyard/server/testing'
import { Client } from '../../src/client'

const COMMAND = fileURLToPath(new URL('../../../server/dist/cli.js', import.meta.url))
const WATCHER = new URL('./livez-watcher.mjs', import.meta.url)
/** Milliseconds between two calls of `/livez`. */
const LOOK_EVERY_MS = 20
/** Milliseconds after which a call of `/livez` without an answer counts as this long. */
const LOOK_TIMEOUT_MS = 60_000
/** Milliseconds after which the start of a service has failed. */
const START_TIMEOUT_MS = 30_000

/** The most characters of the service's output at its start that are kept. */
const KEPT_OUTPUT = 10_000

/** The content of the credentials file that `matchyard dev` writes. */
type Credentials = DemoCredentials & { readonly email: string; readonly password: string }

/** The result of one side of a row, quiet or attacked. */
export interface Figures {
  /** Milliseconds until `/livez` answered: the median and the maximum. */
  readonly livezMs: { readonly p50: number; readonly max: number }
  /** Resident memory of the service in MB: before the work, and the maximum during it. */
  readonly memoryMb: { readonly before: number; readonly peak: number }
}

/** A real `matchyard dev` on a folder of its own, and its figures as seen from outside. */
export class HarmWorld {
  private constructor(
    readonly directory: string,
    readonly baseUrl: string,
    readonly credentials: Credentials,
    readonly process: ChildProcess,
  ) {}

  /**
   * Starts the service. `wrap` is put before the command (another library, a limit). `env` adds to its environment.
   * `command` replaces the path of the program. `preload` is a module that is loaded first and talks over IPC.
   * `directory` is an existing data folder.
   */
  static async start(
    options: {
      wrap?: readonly string[]
      env?: Record<string, string>
      command?: string
      preload?: string
      directory?: string | undefined
    } = {},
  ): Promise<HarmWorld> {
    const cli = options.command ?? COMMAND
    if (!existsSync(cli)) throw new Error('the command is not built; run npm run build first')
    const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'matchyard-harm-'))
    const port = await freePort()
    const before = options.preload === undefined ? [] : ['--import', options.preload]
    const dev = [cli, 'dev', '--port', String(port), '--data', directory]
    const line = [...(options.wrap ?? []), process.execPath, ...before, ...dev]
    const [command = '', ...args] = line
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe', ...(options.preload === undefined ? [] : ['ipc' as const])],
      env: { ...process.env, ...options.env },
    })
    await new Promise<void>((up, failed) => {
      let output = ''
      child.stdout?.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (output.includes('Matchyard is up')) up()
      })
      // Standard error explains a failed start. Later it is read only to keep the pipe empty.
      child.stderr?.on('data', (chunk: Buffer) => {
        if (output.length < KEPT_OUTPUT) output += chunk.toString()
      })
      child.once('exit', (code) => failed(new Error(`the service ended with code ${code}: ${output}`)))
    })
    const credentials = JSON.parse(readFileSync(join(directory, 'credentials.json'), 'utf8')) as Credentials
    return new HarmWorld(directory, `http://127.0.0.1:${port}`, credentials, child)
  }

  /**
   * Starts a real `matchyard serve` on a folder that `dev` has seeded. The log goes to the file descriptor `stderr`.
   * `env` adds to its environment, and `prepare` is called while `dev` runs.
   */
  static async serve(
    stderr: number | 'ignore' = 'ignore',
    env: Record<string, string> = {},
    prepare: (seeded: HarmWorld) => Promise<void> = async () => {},
  ): Promise<HarmWorld> {
    const seeded = await HarmWorld.start()
    const { directory, baseUrl, credentials } = seeded
    await prepare(seeded)
    await seeded.end('SIGTERM')
    const child = spawn(process.execPath, [COMMAND, 'serve'], {
      stdio: ['ignore', 'ignore', stderr],
      env: {
        ...process.env,
        MATCHYARD_DATA: directory,
        MATCHYARD_SECRET: readFileSync(join(directory, 'secret'), 'utf8'),
        HOST: '127.0.0.1',
        PORT: new URL(baseUrl).port,
        ORCHESTRATOR: 'none',
        RATE_LIMIT_CREATIONS: '0',
        RATE_LIMIT_JOINS: '0',
        RATE_LIMIT_WRITES: '0',
        ...env,
      },
    })
    const giveUpAt = performance.now() + START_TIMEOUT_MS
    while (child.exitCode === null && performance.now() < giveUpAt) {
      const up = await fetch(`${baseUrl}/livez`, { signal: AbortSignal.timeout(START_TIMEOUT_MS) }).then(
        ({ ok }) => ok,
        () => false,
      )
      if (up) return new HarmWorld(directory, baseUrl, credentials, child)
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
    child.kill('SIGKILL')
    throw new Error('the service never answered')
  }

  client(key: string = this.credentials.client_key): Client {
    return new Client(this.baseUrl, key)
  }

  /** Measures `/livez` and the memory of the service while `work` runs. */
  async watch(work: () => Promise<unknown>): Promise<Figures> {
    const before = this.memoryMb()
    let peak = before
    const memory = setInterval(() => {
      peak = Math.max(peak, this.memoryMb())
    }, LOOK_EVERY_MS)
    const watcher = new Worker(WATCHER, {
      workerData: { url: `${this.baseUrl}/livez`, everyMs: LOOK_EVERY_MS, timeoutMs: LOOK_TIMEOUT_MS },
    })
    const seen = once(watcher, 'message')
    try {
      await work()
    } finally {
      clearInterval(memory)
      watcher.postMessage('over')
    }
    const [livezMs] = (await seen) as [Figures['livezMs']]
    return { livezMs, memoryMb: { before, peak } }
  }

  /** Returns the resident memory in MB; 0 once the process has ended. */
  memoryMb(): number {
    try {
      const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.process.pid}/status`, 'utf8'))?.[1]
      return Math.round(Number(kib ?? 0) / 1024)
    } catch {
      return 0
    }
  }

  /** Returns the CPU milliseconds that the process has used. */
  cpuMs(): number {
    const stat = readFileSync(`/proc/${this.process.pid}/stat`, 'utf8')
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number)
    // The kernel counts in hundredths of a second.
    return (user + system) * 10
  }

  /** Ends the process and returns the milliseconds that this took. After 15 s the process is killed. */
  async end(signal: NodeJS.Signals = 'SIGINT'): Promise<number> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return 0
    const startedAt = performance.now()
    const gone = new Promise((resolve) => this.process.once('exit', resolve))
    this.process.kill(signal)
    setTimeout(() => this.process.kill('SIGKILL'), 15_000).unref()
    await gone
    return performance.now() - startedAt
  }

  async stop(): Promise<void> {
    await this.end()
    await rm(this.directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}
