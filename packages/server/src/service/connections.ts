import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Connection {
  /** Requests on it that are not answered to their end. */
  inHand: number
  /** By `performance.now()`. */
  usedAt: number
}

/** The most that this node's streams take, and a fifth for everything else: a call finds a connection beside any number of streams. */
export const MAX_CONNECTIONS = 24_000

/**
 * The connections of a server, up to a bound. Past it the one on which nothing has been in hand for the longest is closed, which
 * its client is used to: whoever holds connections that say nothing keeps nobody else out.
 */
export class Connections {
  readonly open = new Map<Socket, Connection>()
  /** The longest idle first. */
  private readonly idle = new Set<Socket>()
  /** How many there have been. */
  came = 0

  constructor(
    server: Server,
    private readonly max = MAX_CONNECTIONS,
  ) {
    server.on('connection', (socket: Socket) => this.add(socket))
    // Before whoever answers it.
    server.prependListener('request', ({ socket }, response: ServerResponse) => {
      const connection = this.open.get(socket)
      if (connection === undefined) return
      connection.inHand++
      this.idle.delete(socket)
      response.once('close', () => {
        connection.inHand--
        connection.usedAt = performance.now()
        if (connection.inHand === 0 && this.open.has(socket)) this.idle.add(socket)
      })
    })
  }

  private add(socket: Socket): void {
    this.came++
    this.open.set(socket, { inHand: 0, usedAt: performance.now() })
    this.idle.add(socket)
    socket.once('close', () => {
      this.open.delete(socket)
      this.idle.delete(socket)
    })
    if (this.open.size <= this.max) return
    const [longest] = this.idle
    longest?.destroy()
  }
}
