import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const COMMAND = fileURLToPath(new URL('../../../server/dist/cli.js', import.meta.url))
const JOINED = 'ready for game servers'
const JOINS_WITHIN_MS = 60_000

/** A process of `matchyard agent` that a test can stop and start again. */
export class AgentProcess {
  private process: ChildProcess | undefined
  private said = ''

  constructor(private readonly environment: Readonly<Record<string, string>>) {}

  /** Output since the first start. */
  get output(): string {
    return this.said
  }

  /** Starts the agent. Resolves when it has joined the service. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [COMMAND, 'agent'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...this.environment },
    })
    this.process = child
    await new Promise<void>((joined, failed) => {
      const before = this.said.length
      const late = setTimeout(() => failed(new Error(`the agent does not join: ${this.said}`)), JOINS_WITHIN_MS)
      const hear = (chunk: Buffer) => {
        this.said += chunk.toString()
        if (!this.said.slice(before).includes(JOINED)) return
        clearTimeout(late)
        joined()
      }
      child.stdout.on('data', hear)
      child.stderr.on('data', hear)
      child.once('exit', (code) => {
        clearTimeout(late)
        failed(new Error(`the agent ended with code ${code}: ${this.said}`))
      })
    })
  }

  /** Ends the agent with a signal. Its game servers go on. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.process
    this.process = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await gone
  }
}
