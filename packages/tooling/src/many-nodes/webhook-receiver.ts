import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from './test-certificate'

/** One webhook message that arrived at one address of the receiver. */
export interface Receipt {
  readonly messageId: string
  readonly projectId: string
  readonly type: string
  readonly lobbyId: string
  /** Milliseconds from the event until the message arrived. */
  readonly afterMs: number
}

/**
 * The behaviour of an address of the receiver: `good` accepts messages at once, `slow` after 20 to 100 ms, `moody`
 * fails some messages once, `dead` fails all messages.
 */
export type Mood = 'good' | 'slow' | 'moody' | 'dead'

/** Faults of a `moody` address, each with its share of new messages in percent. */
const FAULTS = [
  ['answers 500', 10],
  ['closes half-way', 10],
  ['cuts the connection', 9],
  ['hangs', 1],
] as const

/** A receiver of webhooks over TLS on this machine. It verifies each message with the published library. */
export class WebhookReceiver {
  /** By address: the messages that the address accepted, in order of arrival. */
  readonly taken = new Map<string, Receipt[]>()
  /** Texts about messages without a valid signature by the secret of their address. */
  readonly unverified: string[] = []
  readonly faults = new Map<string, number>()
  private readonly secrets = new Map<string, Webhook>()
  private readonly met = new Set<string>()
  private readonly server = createServer({ cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY }, (request, answer) => {
    this.receive(request, answer).catch(() => answer.destroy())
  })
  private port = 0

  constructor(private readonly chance: () => number) {}

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve))
    this.port = (this.server.address() as AddressInfo).port
  }

  urlOf(name: string, mood: Mood): string {
    return `https://127.0.0.1:${this.port}/${mood}/${name}`
  }

  trust(url: string, secret: string): void {
    this.secrets.set(new URL(url).pathname, new Webhook(secret))
  }

  takenAt(url: string): readonly Receipt[] {
    return this.taken.get(new URL(url).pathname) ?? []
  }

  /** Closes the port for `ms` milliseconds. */
  async goDown(ms: number): Promise<void> {
    await this.stop()
    await wait(ms)
    await this.start()
  }

  stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()))
    this.server.closeAllConnections()
    return closed
  }

  private async receive(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const path = request.url ?? ''
    const mood = path.split('/')[1] as Mood
    const id = String(request.headers['webhook-id'])
    const fault =
      mood === 'dead' ? 'cuts the connection' : mood === 'moody' ? this.faultFor(`${path} ${id}`) : undefined
    if (fault !== undefined) return this.fail(fault, answer)
    if (mood === 'slow') await wait(20 + this.chance() * 80)
    this.keep(path, Buffer.concat(chunks).toString(), request.headers as Record<string, string>)
    answer.end('taken')
  }

  /**
   * Returns the fault for a message, if it gets one. Each message gets at most one fault, so that the test knows the
   * time by which all messages must have arrived.
   */
  private faultFor(name: string): string | undefined {
    if (this.met.has(name)) return undefined
    this.met.add(name)
    let drawn = this.chance() * 100
    for (const [fault, share] of FAULTS) {
      drawn -= share
      if (drawn < 0) return fault
    }
    return undefined
  }

  private fail(fault: string, answer: ServerResponse): void {
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1)
    if (fault === 'answers 500') answer.writeHead(500).end()
    else if (fault === 'closes half-way') {
      answer.writeHead(200, { 'content-length': '100' }).write('half')
      answer.flushHeaders()
      setTimeout(() => answer.destroy(), 5)
    } else if (fault === 'cuts the connection') answer.destroy()
  }

  private keep(path: string, text: string, headers: Record<string, string>): void {
    try {
      this.secrets.get(path)?.verify(text, headers)
    } catch (error) {
      this.unverified.push(`${path}: ${String(error)}`)
    }
    const { type, project_id, created_at, data } = JSON.parse(text)
    const receipt: Receipt = {
      messageId: String(headers['webhook-id']),
      projectId: project_id,
      type,
      lobbyId: data.lobby_id,
      afterMs: Date.now() - Date.parse(created_at),
    }
    const before = this.taken.get(path)
    if (before === undefined) this.taken.set(path, [receipt])
    else before.push(receipt)
  }
}
