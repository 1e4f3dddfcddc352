import { IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Maximum number of waiting requests on one connection. Node may read several requests at once from a connection while
 * an earlier request runs.
 */
export const MAX_WAITING = 64
/** Maximum number of waiting requests on all connections. */
const MAX_WAITING_ON_NODE = 4_096

interface Waiting {
  readonly outgoing: ServerResponse
  readonly begin: () => void
}

/** Queue of a connection without waiting requests. */
const NOTHING: readonly Waiting[] = []

/**
 * Runs the requests of a connection one after another: a request starts when the answer to the request before it has
 * been sent. While a request waits, nothing more is read from the connection, so the TCP window stops its sender. RFC
 * 9112 §9.3.2 allows no more for calls that change state, and answers are sent in order in any case (docs/adr/0163).
 * Node reads up to 64 kB at once and emits every request in these bytes. Up to `MAX_WAITING` requests wait on one
 * connection, and 4,096 on all connections together. A connection that sends more requests at once is closed.
 */
export class Pipelines {
  /** Connections with a running request, each with the requests that wait for the running request. */
  private readonly lines = new Map<Socket, readonly Waiting[] | Waiting[]>()
  /** Connections that are paused. */
  private readonly held = new WeakSet<Socket>()
  private waiting = 0

  constructor(
    private readonly max = { onConnection: MAX_WAITING, onNode: MAX_WAITING_ON_NODE },
    private readonly afterOthers: (callback: () => void) => void = setImmediate,
  ) {}

  /** Whether the connection has the maximum number of waiting requests. */
  isFull(socket: Socket): boolean {
    const line = this.lines.get(socket)
    return line !== undefined && (line.length >= this.max.onConnection || this.waiting >= this.max.onNode)
  }

  /**
   * Runs `begin` at once when no request runs on the connection. Otherwise runs it when all earlier requests have been
   * answered.
   */
  take(socket: Socket, outgoing: ServerResponse, begin: () => void): void {
    const line = this.lines.get(socket)
    if (line === undefined) {
      this.lines.set(socket, NOTHING)
      outgoing.once('close', () => this.passOn(socket))
      begin()
      return
    }
    this.waiting++
    if (line !== NOTHING) (line as Waiting[]).push({ outgoing, begin })
    else {
      this.lines.set(socket, [{ outgoing, begin }])
      this.hold(socket)
    }
  }

  /**
   * Starts the next request of the connection after an answer has been sent. First, requests of other connections run
   * for one turn of the event loop.
   */
  private passOn(socket: Socket): void {
    const line = this.lines.get(socket)
    if (line === undefined) return
    if (line.length === 0) this.lines.delete(socket)
    else this.afterOthers(() => this.next(socket))
  }

  private next(socket: Socket): void {
    const line = this.lines.get(socket) as Waiting[] | undefined
    const first = line?.shift()
    // The connection was closed before its next request could start.
    if (line === undefined || first === undefined) return
    this.waiting--
    // The previous answer was the last answer on this connection.
    if (socket.writableEnded) return
    if (line.length === 0) {
      this.lines.set(socket, NOTHING)
      this.held.delete(socket)
      socket.resume()
    }
    first.outgoing.once('close', () => this.passOn(socket))
    first.begin()
  }

  private hold(socket: Socket): void {
    if (!this.known.has(socket)) this.listen(socket)
    this.held.add(socket)
    socket.pause()
  }

  private readonly known = new WeakSet<Socket>()

  private listen(socket: Socket): void {
    this.known.add(socket)
    // When a complete body is read, Node resumes the socket, although the body has no more bytes.
    socket.on('resume', () => {
      if (!this.held.has(socket)) return
      // A socket that is paused before it was resumed emits no second `pause` event, and Node's server stops reading
      // only at that event.
      if (socket.isPaused()) socket.emit('pause')
      else socket.pause()
    })
    socket.once('close', () => {
      this.waiting -= this.lines.get(socket)?.length ?? 0
      this.lines.delete(socket)
    })
  }
}

/**
 * Returns the class of a server's requests. A request above the maximum is made to look like a CONNECT request, for
 * which there is no listener. Node then ignores the remaining bytes and closes the connection. If the socket were
 * destroyed instead, Node would still emit every request in those bytes.
 */
export function boundedRequests(isFull: (socket: Socket) => boolean): typeof IncomingMessage {
  return class extends IncomingMessage {
    constructor(socket: Socket) {
      super(socket)
      if (isFull(socket)) Object.defineProperties(this, AS_CONNECT)
    }
  }
}

const fixed = (value: unknown): PropertyDescriptor => ({ get: () => value, set() {}, enumerable: true })
const AS_CONNECT = { method: fixed('CONNECT'), upgrade: fixed(true) }
