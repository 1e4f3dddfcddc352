import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Sockets that share the calls. The service answers the calls of one socket in their order. */
const CONNECTIONS = 8
const STATUS = /HTTP\/1\.1 (\d{3})/g
/** The longest incomplete status line that a chunk may end with, in characters. */
const LONGEST_START = 12

export interface PipelinedCall {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/**
 * Sends calls at very low cost, for a driver that runs next to the measured process. Calls are written to a few
 * connections without waiting for answers, and only the status of an answer is read. Bodies of answers must not contain
 * a status line.
 */
export class PipelinedCalls {
  sent = 0
  /** Answers by status. */
  readonly answered = new Map<number, number>()
  private next = 0
  private isClosed = false

  private constructor(
    private readonly host: string,
    private readonly sockets: readonly Socket[],
  ) {
    for (const socket of sockets) this.listen(socket)
  }

  static async open(baseUrl: string): Promise<PipelinedCalls> {
    const { host, hostname, port } = new URL(baseUrl)
    const sockets = Array.from({ length: CONNECTIONS }, () => connect(Number(port), hostname))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    for (const socket of sockets) socket.setNoDelay(true)
    return new PipelinedCalls(host, sockets)
  }

  /**
   * Sends a call. Calls with the same `lane` are answered in their order. Calls sent in the same turn of the event loop
   * are written together.
   */
  send({ method, path, headers = {}, body }: PipelinedCall, lane: number = this.next++): void {
    const text = body === undefined ? '' : JSON.stringify(body)
    const all = {
      host: this.host,
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      'content-length': String(Buffer.byteLength(text)),
    }
    const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    const socket = this.sockets[lane % this.sockets.length]
    if (socket?.writableCorked === 0) {
      socket.cork()
      process.nextTick(() => socket.uncork())
    }
    socket?.write(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${text}`)
    this.sent++
  }

  /** Calls without an answer so far. */
  get open(): number {
    let answered = 0
    for (const count of this.answered.values()) answered += count
    return this.sent - answered
  }

  /** Answers with a status of 400 or more. */
  get refused(): number {
    let refused = 0
    for (const [status, count] of this.answered) if (status >= 400) refused += count
    return refused
  }

  close(): void {
    this.isClosed = true
    for (const socket of this.sockets) socket.destroy()
  }

  private listen(socket: Socket): void {
    let rest = ''
    socket.setEncoding('latin1')
    socket.on('error', () => {})
    socket.on('close', () => {
      if (!this.isClosed) throw new Error('the service closed a connection of the driver')
    })
    socket.on('data', (chunk: string) => {
      const text = rest + chunk
      let end = 0
      for (const found of text.matchAll(STATUS)) {
        const status = Number(found[1])
        this.answered.set(status, (this.answered.get(status) ?? 0) + 1)
        end = found.index + found[0].length
      }
      rest = text.slice(Math.max(end, text.length - LONGEST_START + 1))
    })
  }
}
