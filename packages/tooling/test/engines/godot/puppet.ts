import { readFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { eventually } from '../../../src/eventually'
import { Engine, newGame } from './project'

const SCRIPT = fileURLToPath(new URL('./puppet.gd', import.meta.url))

interface Told {
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever a signal of the addon carries
  readonly values: readonly any[]
}
// biome-ignore lint/suspicious/noExplicitAny: whatever a method of the addon answers
type Fields = any

/** An error as the addon reports it to a game. */
export class Refusal extends Error {
  constructor(readonly fields: Fields) {
    super(`${fields.code}: ${fields.detail}`)
  }
}

/** A game in Godot that carries out a test's commands. */
export class Puppet {
  readonly told: Told[] = []
  private readonly waiting = new Map<number, { done: (answer: Fields) => void; failed: (why: Error) => void }>()
  private orders = 0

  private constructor(
    private readonly engine: Engine,
    private readonly server: Server,
    private readonly socket: Socket,
  ) {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('error', () => {})
    socket.on('data', (chunk: string) => {
      text += chunk
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) this.take(JSON.parse(line))
    })
  }

  static async start(url: string, clientKey: string, player: string): Promise<Puppet> {
    const server = createServer()
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as { port: number }
    const called = new Promise<Socket>((resolve) => server.once('connection', resolve))
    const folder = newGame(readFileSync(SCRIPT, 'utf8'))
    const environment = {
      PUPPET_PORT: String(port),
      MATCHYARD_URL: url,
      MATCHYARD_CLIENT_KEY: clientKey,
      PLAYER: player,
    }
    const engine = new Engine(folder, environment)
    const ended = engine.exited.then(() => {
      throw new Error(`Godot ended: ${engine.output}`)
    })
    return new Puppet(engine, server, await Promise.race([called, ended]))
  }

  /**
   * Calls a method of the client, its ratings, its lobby, its match, or the puppet itself. Throws a `Refusal` when the
   * addon reports an error.
   */
  call(on: 'matchyard' | 'ratings' | 'lobby' | 'found' | 'puppet', call: string, ...args: unknown[]): Promise<Fields> {
    const id = ++this.orders
    this.socket.write(`${JSON.stringify({ id, on, call, args })}\n`)
    return new Promise((done, failed) => this.waiting.set(id, { done, failed }))
  }

  get<T = Fields>(on: 'matchyard' | 'lobby' | 'found' | 'puppet', name: string): Promise<T> {
    return this.call(on, 'get', name)
  }

  /**
   * Waits up to 60 s for a signal that fulfils the condition, and returns its values. Signals from before the call
   * count too.
   */
  async signal(name: string, holds: (...values: Fields[]) => boolean = () => true): Promise<readonly Fields[]> {
    const find = () => this.told.find(({ event, values }) => event === name && holds(...values))
    const told = await eventually(find, (one) => one !== undefined, 60_000).catch(() => {
      throw new Error(`no signal ${name} came; ${JSON.stringify(this.told.slice(-5))} ${this.engine.output}`)
    })
    return told?.values ?? []
  }

  count = (name: string): number => this.told.filter(({ event }) => event === name).length

  get complaints(): string[] {
    return this.engine.complaints
  }

  async stop(): Promise<void> {
    this.socket.destroy()
    this.server.close()
    await this.engine.stop()
  }

  private take(message: Fields): void {
    if (message.event !== undefined) {
      this.told.push(message)
      return
    }
    const order = this.waiting.get(message.id)
    this.waiting.delete(message.id)
    if (message.error !== undefined) order?.failed(new Refusal(message.error))
    else order?.done(message.answer)
  }
}
