import { IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Largest number of waiting requests on one connection. Node may read several requests at once while an earlier one
 * runs.
 */
export const MAX_WAITING = 64
/** Largest number of waiting requests on all connections. */
const MAX_WAITING_ON_NODE = 4_096

interface Waiting {
  readonly outgoing: ServerResponse
  readonly begin: () => void
}

/** Line of a connection without waiting requests. */
const NOTHING: readonly Waiting[] = []

/**
 * Runs the requests of a connection one after the other: the next starts when the response to the one before has been
 * sent. While a request waits, nothing more is read from the connection, so that the TCP window stops its sender. RFC
 * 9112 §9.3.2 allows no more for calls that change state, and responses are sent in order in any case (docs/adr/0163).
 * Node reads up to 64 kB at once and emits every request in it. Up to `MAX_WAITING` of them wait here, and 4,096 on all
 * connections. A connection that has sent more at once is closed.
 */
export class Pipelines {
  /** Connections with a running request, and the requests that wait behind it. */
  private readonly lines = new Map<Socket, readonly Waiting[] | Waiting[]>()
  /** Connections that are paused. */
  private readonly held = new WeakSet<Socket>()
  private waiting = 0

  constructor(
    private readonly max = { onConnection: MAX_WAITING, onNode: MAX_WAITING_ON_NODE },
    private readonly afterOthers: (callback: () => void) => void = setImmediate,
  ) {}

  /** Whether the connection may not have another waiting request. */
  isFull(socket: Socket): boolean {
    const line = this.lines.get(socket)
    return line !== undefined && (line.length >= this.max.onConnection || this.waiting >= this.max.onNode)
  }

  /**
   * Runs `begin` at once when no request runs on the connection; otherwise when all earlier requests have their
   * responses.
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
   * Starts the next request of the connection after a response has been sent. Other connections have their turn first.
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
    // The connection was closed meanwhile.
    if (line === undefined || first === undefined) return
    this.waiting--
    // The response before was the last one on this connection.
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
    // Reading a complete body resumes the socket, although the body has no more bytes.
    socket.on('resume', () => {
      if (!this.held.has(socket)) return
      // A socket that is paused before it has resumed emits no second `pause`. Node's server stops reading only at that
      // event.
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
 * Returns the class of a server's requests. A request above the bound looks like a CONNECT without a listener: Node
 * then ignores the remaining bytes and closes the connection. If the socket were destroyed instead, Node would still
 * emit every request in those bytes.
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
