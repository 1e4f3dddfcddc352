import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Credentials } from '@matchyard/example-demo'
import { freePort } from '../../../server/test/harness/free-port'
import { Client } from '../../src/client'

const COMMAND = fileURLToPath(new URL('../../../server/dist/cli.js', import.meta.url))
/** Between two looks at `/livez`. */
const LOOK_EVERY_MS = 20
/** A look that is not answered by then counts as this long. */
const LOOK_TIMEOUT_MS = 60_000

/** What one side of a row, quiet or attacked, came to. */
export interface Figures {
  /** Milliseconds until `/livez` answered: the median, and the longest of all. */
  readonly livezMs: { readonly p50: number; readonly max: number }
  /** Resident memory of the service in MB: before, and the most it came to. */
  readonly memoryMb: { readonly before: number; readonly peak: number }
}

/** A real `matchyard dev` on a folder of its own, and what is seen of it from outside. */
export class HarmWorld {
  private constructor(
    readonly directory: string,
    readonly baseUrl: string,
    readonly credentials: Credentials,
    readonly process: ChildProcess,
  ) {}

  /** `wrap` puts something before the command (another library under it, a limit); `env` adds to its environment. */
  static async start(options: { wrap?: readonly string[]; env?: Record<string, string> } = {}): Promise<HarmWorld> {
    if (!existsSync(COMMAND)) throw new Error('the command is not built; run npm run build first')
    const directory = mkdtempSync(join(tmpdir(), 'matchyard-harm-'))
    const port = await freePort()
    const line = [
      ...(options.wrap ?? []),
      process.execPath,
      COMMAND,
      'dev',
      '--port',
      String(port),
      '--data',
      directory,
    ]
    const [command = '', ...args] = line
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, ...options.env },
    })
    await new Promise<void>((up, failed) => {
      let output = ''
      child.stdout?.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (output.includes('Matchyard is up')) up()
      })
      child.once('exit', (code) => failed(new Error(`the service ended with code ${code}: ${output}`)))
    })
    const credentials = JSON.parse(readFileSync(join(directory, 'credentials.json'), 'utf8')) as Credentials
    return new HarmWorld(directory, `http://127.0.0.1:${port}`, credentials, child)
  }

  client(key: string = this.credentials.client_key): Client {
    return new Client(this.baseUrl, key)
  }

  /** Watches the service while `work` goes on. */
  async watch(work: () => Promise<unknown>): Promise<Figures> {
    const before = this.memoryMb()
    const looks: number[] = []
    let peak = before
    let over = false
    const watching = (async () => {
      while (!over) {
        const startedAt = performance.now()
        await fetch(`${this.baseUrl}/livez`, { signal: AbortSignal.timeout(LOOK_TIMEOUT_MS) }).then(
          (answer) => answer.arrayBuffer(),
          () => undefined,
        )
        looks.push(performance.now() - startedAt)
        peak = Math.max(peak, this.memoryMb())
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      }
    })()
    try {
      await work()
    } finally {
      over = true
      await watching
    }
    looks.sort((a, b) => a - b)
    const p50 = looks[Math.floor(looks.length / 2)] ?? 0
    return { livezMs: { p50, max: looks.at(-1) ?? 0 }, memoryMb: { before, peak } }
  }

  /** Resident memory; 0 once the process has ended. */
  memoryMb(): number {
    try {
      const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.process.pid}/status`, 'utf8'))?.[1]
      return Math.round(Number(kib ?? 0) / 1024)
    } catch {
      return 0
    }
  }

  async stop(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const gone = new Promise((resolve) => this.process.once('exit', resolve))
      this.process.kill('SIGINT')
      setTimeout(() => this.process.kill('SIGKILL'), 15_000).unref()
      await gone
    }
    await rm(this.directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}
