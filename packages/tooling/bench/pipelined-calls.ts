import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Sockets that calls are spread over: a service answers those of one in their order. */
const CONNECTIONS = 8
const STATUS = /HTTP\/1\.1 (\d{3})/g
/** As much of a status line as one piece of an answer may end with. */
const LONGEST_START = 12

export interface PipelinedCall {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/**
 * Calls that cost their sender next to nothing, for a driver beside what it measures: written one after the other on a few connections,
 * without waiting for answers, of which nothing but the status is looked at. Bodies of answers must not hold a status line.
 */
export class PipelinedCalls {
  sent = 0
  /** Answers, by status. */
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

  /** Calls of one `lane` are answered in their order; all are written as one piece where they are sent in one turn. */
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

  /** Calls that were not answered yet. */
  get open(): number {
    let answered = 0
    for (const count of this.answered.values()) answered += count
    return this.sent - answered
  }

  /** How many were answered with a status from 400 on. */
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
