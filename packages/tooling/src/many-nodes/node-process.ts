import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@matchyard/server/testing'
import { type Answer, type Call, Client } from '../client'

const COMMAND = fileURLToPath(new URL('../../../server/dist/cli.js', import.meta.url))
/** Number of chunks of the output that are kept, to explain why a node ended. */
const KEPT_PIECES = 50
/** Milliseconds after which a node that does not listen yet has failed to start. */
const START_WITHIN_MS = 60_000

export interface NodeOptions {
  readonly nodeId: string
  /** Data folder that only this node uses. */
  readonly dataDirectory: string
  /** Folder that all nodes share, so that one node can launch a build that was uploaded through another node. */
  readonly buildsDirectory: string
  readonly environment: Readonly<Record<string, string>>
  /** Machine of the node's own on which the node runs; default: this machine, on its own address. */
  readonly place?: Place | undefined
}

/** Network in which a node runs, apart from the network of the test. */
export interface Place {
  /** Address of the node, which the test can reach. */
  readonly host: string
  /** Command that starts the command after it in the network. */
  readonly within: readonly string[]
}

/** A process of `matchyard serve` that a test can kill and start again at the same address. */
export class NodeProcess {
  readonly nodeId: string
  private process: ChildProcess | undefined
  private readonly log: string[] = []
  /** The whole output of the node, for tests that search it for secrets. */
  private whole: string[] | undefined
  private readonly anonymous: Client

  private constructor(
    private readonly options: NodeOptions,
    private readonly port: number,
    private readonly client: Client,
  ) {
    this.nodeId = options.nodeId
    this.anonymous = new Client(client.baseUrl)
  }

  static async start(options: NodeOptions, clientKey: string): Promise<NodeProcess> {
    mkdirSync(options.dataDirectory, { recursive: true, mode: 0o700 })
    symlinkSync(options.buildsDirectory, join(options.dataDirectory, 'builds'))
    const port = await freePort()
    const node = new NodeProcess(options, port, new Client(`http://${hostOf(options)}:${port}`, clientKey))
    await node.start()
    return node
  }

  get baseUrl(): string {
    return `http://${hostOf(this.options)}:${this.port}`
  }

  /** The process id of the node; 0 when the node does not run. */
  get pid(): number {
    return this.process?.pid ?? 0
  }

  get isUp(): boolean {
    return this.process !== undefined
  }

  readonly call: Client['call'] = (call) => this.client.call(call)

  /** Sends a call to the control plane, with a session token or without credentials. */
  control<T = Record<string, unknown>>(call: Call, token?: string): Promise<Answer<T>> {
    return this.anonymous.call<T>({ ...call, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } })
  }

  /** Starts the node. Resolves when the node accepts calls; rejects when its process ends before. */
  async start(): Promise<void> {
    if (!existsSync(COMMAND)) throw new Error('the command is not built; run npm run build first')
    const { nodeId, dataDirectory, environment, place } = this.options
    const serve = [process.execPath, COMMAND, 'serve']
    const [command = process.execPath, ...args] = [...(place?.within ?? []), ...serve]
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        HOST: hostOf(this.options),
        PORT: String(this.port),
        NODE_ID: nodeId,
        PEER_URL: this.baseUrl,
        MATCHYARD_DATA: dataDirectory,
        ...environment,
      },
    })
    await new Promise<void>((up, failed) => {
      const late = setTimeout(() => {
        failed(new Error(`${nodeId} does not come up: ${this.lastWords}`))
        child.kill('SIGKILL')
      }, START_WITHIN_MS)
      late.unref()
      child.stdout.on('data', (chunk: Buffer) => this.hear(chunk.toString()))
      child.stderr.on('data', (chunk: Buffer) => {
        const text = chunk.toString()
        this.hear(text)
        if (!text.includes('"listening"')) return
        clearTimeout(late)
        up()
      })
      child.once('exit', (code) => {
        clearTimeout(late)
        if (this.process === child) this.process = undefined
        failed(new Error(`${nodeId} ended with code ${code}: ${this.lastWords}`))
      })
    })
    this.process = child
  }

  get lastWords(): string {
    return this.log.join('')
  }

  /**
   * Keeps the whole output from now on, across restarts. Throws when a part of the earlier output was already dropped.
   */
  keepWholeLog(): void {
    if (this.log.length >= KEPT_PIECES) throw new Error(`what ${this.nodeId} said at first is gone already`)
    this.whole ??= [...this.log]
  }

  /** The whole output since the first start. Throws unless `keepWholeLog` was called. */
  get wholeLog(): string {
    if (this.whole === undefined) throw new Error(`${this.nodeId} was not asked to keep its log`)
    return this.whole.join('')
  }

  private hear(text: string): void {
    this.whole?.push(text)
    this.log.push(text)
    if (this.log.length > KEPT_PIECES) this.log.shift()
  }

  /** Suspends the process for `ms` milliseconds, then lets it continue. */
  async standStill(ms: number): Promise<void> {
    const child = this.process
    child?.kill('SIGSTOP')
    await wait(ms)
    child?.kill('SIGCONT')
  }

  /** Ends the node with a signal. If it has not ended after `withinMs` milliseconds, kills it. */
  async end(signal: 'SIGKILL' | 'SIGTERM', withinMs = START_WITHIN_MS): Promise<void> {
    const child = this.process
    this.process = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    const late = setTimeout(() => child.kill('SIGKILL'), withinMs)
    await gone
    clearTimeout(late)
  }

  close(): void {
    this.client.close()
    this.anonymous.close()
  }
}

const hostOf = ({ place }: NodeOptions): string => place?.host ?? '127.0.0.1'
