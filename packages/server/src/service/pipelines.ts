import { IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that Node has read while the one before was under way: what one reading of its socket brings, at the most. */
export const MAX_WAITING = 64
/** Waiting requests of all connections. */
const MAX_WAITING_ON_NODE = 4_096

interface Waiting {
  readonly outgoing: ServerResponse
  readonly begin: () => void
}

/** Value for connections without waiting requests. */
const NOTHING: readonly Waiting[] = []

/**
 * Begins the requests of a connection one after the other: the next when the answer before it has left. While one waits, nothing more is read from
 * the connection, so that its sender is held by its own TCP window. RFC 9112 §9.3.2 allows no more for calls that change something, and answers go
 * out in order in any case (docs/adr/0163).
 *
 * Node reads up to 64 kB at once and emits every request that is in it: up to `MAX_WAITING` of them wait here, and of all connections 4,096.
 * A connection that has sent more at once is closed.
 */
export class Pipelines {
  /** The connections with a request under way, and what waits behind it. */
  private readonly lines = new Map<Socket, readonly Waiting[] | Waiting[]>()
  /** Connections that are paused. */
  private readonly held = new WeakSet<Socket>()
  private waiting = 0

  constructor(
    private readonly max = { onConnection: MAX_WAITING, onNode: MAX_WAITING_ON_NODE },
    private readonly afterOthers: (callback: () => void) => void = setImmediate,
  ) {}

  /** Whether another request of this connection would be one too many. */
  isFull(socket: Socket): boolean {
    const line = this.lines.get(socket)
    return line !== undefined && (line.length >= this.max.onConnection || this.waiting >= this.max.onNode)
  }

  /** Runs `begin` at once where nothing is under way on the connection of this request, or when its turn has come. */
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

  /** The answer has left: the next is begun when other connections have had their turn. */
  private passOn(socket: Socket): void {
    const line = this.lines.get(socket)
    if (line === undefined) return
    if (line.length === 0) this.lines.delete(socket)
    else this.afterOthers(() => this.next(socket))
  }

  private next(socket: Socket): void {
    const line = this.lines.get(socket) as Waiting[] | undefined
    const first = line?.shift()
    // Nothing waits on a connection that was closed meanwhile.
    if (line === undefined || first === undefined) return
    this.waiting--
    // The answer before it was the last of its connection.
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
    // Reading a complete body resumes the socket, although there is nothing more to read for it.
    socket.on('resume', () => {
      if (!this.held.has(socket)) return
      // A socket that was paused before it had resumed does not say so again, and Node's server stops reading when it hears it.
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
 * The class of a server's requests. One that is too many is taken for a CONNECT, which nobody listens to: Node reads no further in what it has, and
 * closes the connection. Destroying the socket would have it make a request of each that is still in it.
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
