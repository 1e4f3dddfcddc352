import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { onTestFinished, vi } from 'vitest'

const require = createRequire(import.meta.url)
const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))
const NODE_ARGUMENTS = ['--conditions=@matchyard/source', '--import', pathToFileURL(require.resolve('tsx')).href, CLI]

/** Milliseconds, far more than any step needs on a busy machine. A test that waits for so long has failed. */
const DEADLINE_MS = 60_000
// A test starts several processes one after the other, and each is compiled at its start.
vi.setConfig({ testTimeout: 300_000 })

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface CommandOptions {
  readonly cwd: string
  readonly env?: Record<string, string>
  /** Text for standard input, which then ends. */
  readonly stdin?: string
  /** Descriptors for the output, instead of pipes to the test. */
  readonly stdout?: number
  readonly stderr?: number
  /** Largest number of files that the process may open. Default: the limit of the test's process. */
  readonly openFiles?: number
}

/** A `matchyard` command as a real process, from sources. */
export class Command {
  stdout = ''
  stderr = ''
  readonly exited: Promise<Exit>
  private readonly child: ChildProcess
  private readonly waiting = new Set<() => void>()

  constructor(args: readonly string[], options: CommandOptions) {
    const { PATH = '', HOME = '', TMPDIR } = process.env
    const line = [process.execPath, ...NODE_ARGUMENTS, ...args]
    const bounded = ['/bin/sh', '-c', `ulimit -n ${options.openFiles}; exec "$@"`, 'sh', ...line]
    const [program = '', ...words] = options.openFiles === undefined ? line : bounded
    this.child = spawn(program, words, {
      cwd: options.cwd,
      // The machine's own configuration must not influence a test.
      env: { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }), ...options.env },
      stdio: [options.stdin === undefined ? 'ignore' : 'pipe', options.stdout ?? 'pipe', options.stderr ?? 'pipe'],
    })
    this.child.stdin?.end(options.stdin)
    const collect = (name: 'stdout' | 'stderr') => (chunk: Buffer) => {
      this[name] += chunk.toString('utf8')
      for (const look of [...this.waiting]) look()
    }
    this.child.stdout?.on('data', collect('stdout'))
    this.child.stderr?.on('data', collect('stderr'))
    this.exited = new Promise((resolve) => {
      this.child.once('close', (code, signal) => {
        resolve({ code, signal, stdout: this.stdout, stderr: this.stderr })
        for (const look of [...this.waiting]) look()
      })
    })
    onTestFinished(() => this.end())
  }

  get output(): string {
    return this.stdout + this.stderr
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal)
  }

  /**
   * Resolves with the match when the output matches. Rejects with the whole output when the process ends before, or
   * after the deadline.
   */
  async seen(pattern: RegExp): Promise<RegExpExecArray> {
    const found = () => pattern.exec(this.output)
    const already = found()
    if (already !== null) return already
    return new Promise((resolve, reject) => {
      const done = (settle: () => void) => {
        clearTimeout(timer)
        this.waiting.delete(look)
        settle()
      }
      const fail = (why: string) => done(() => reject(new Error(`${why} before ${pattern}:\n${this.output}`)))
      const look = () => {
        const match = found()
        if (match !== null) done(() => resolve(match))
        else if (this.child.exitCode !== null || this.child.signalCode !== null) fail('the process ended')
      }
      const timer = setTimeout(() => fail('nothing happened'), DEADLINE_MS)
      this.waiting.add(look)
    })
  }

  /** Kills the process if it has not ended by itself. */
  async end(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGKILL')
    await this.exited
  }
}

/** Runs a command to its end. Kills the command at the deadline. */
export async function run(args: readonly string[], options: CommandOptions): Promise<Exit> {
  const command = new Command(args, options)
  const timer = setTimeout(() => command.signal('SIGKILL'), DEADLINE_MS)
  const exit = await command.exited
  clearTimeout(timer)
  return exit
}

/** Calls `ask` again and again until its result is not undefined, and returns the result. */
export async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const giveUpAt = performance.now() + DEADLINE_MS
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (performance.now() > giveUpAt) throw new Error(`never happened: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
