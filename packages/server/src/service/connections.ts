import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '@matchyard/http'
import { type Crowd, Crowds } from './crowds'

export interface Connection {
  /** Number of requests on this connection that are not completely answered. */
  inHand: number
  /** Time of the last use, by `performance.now()`. */
  usedAt: number
  /** All connections from the same address. */
  readonly crowd: Crowd<Socket>
}

/** Maximum number of connections: 20,000 event streams, and 4,000 more, so that other calls can always connect. */
export const MAX_CONNECTIONS = 24_000

/**
 * The connections of a server, with a maximum number. Above the maximum, one connection of the address with the most
 * connections is closed. The first choice is the connection of that address that has been idle for the longest, because
 * clients expect that idle connections are closed. The second choice is the connection that has been sending a body for
 * the longest. One address therefore cannot keep other addresses out, however many connections it opens. A proxy in
 * front of the service counts as one address, and loses only idle connections as long as it has some.
 */
export class Connections {
  readonly open = new Map<Socket, Connection>()
  private readonly crowds = new Crowds<Socket>()
  /** Number of accepted connections since the start. */
  came = 0

  constructor(
    server: Server,
    private readonly max = MAX_CONNECTIONS,
  ) {
    server.on('connection', (socket: Socket) => this.add(socket))
    // This listener must run before the handler of the request.
    server.prependListener('request', (incoming, response) => this.begin(incoming, response))
  }

  private begin(incoming: IncomingMessage, response: ServerResponse): void {
    const { socket } = incoming
    const connection = this.open.get(socket)
    if (connection === undefined) return
    const { idle, halfSent } = connection.crowd
    connection.inHand++
    idle.delete(socket)
    if (isHalfSent(incoming)) {
      halfSent.add(socket)
      incoming.once('end', () => halfSent.delete(socket))
    }
    response.once('close', () => {
      connection.inHand--
      connection.usedAt = performance.now()
      halfSent.delete(socket)
      if (connection.inHand === 0 && this.open.has(socket)) idle.add(socket)
    })
  }

  private add(socket: Socket): void {
    this.came++
    const address = networkOf(socket.remoteAddress ?? '')
    const crowd = this.crowds.join(address)
    this.open.set(socket, { inHand: 0, usedAt: performance.now(), crowd })
    crowd.idle.add(socket)
    socket.once('close', () => {
      this.open.delete(socket)
      crowd.idle.delete(socket)
      crowd.halfSent.delete(socket)
      this.crowds.leave(address)
    })
    if (this.open.size > this.max) this.crowds.givesUp()?.destroy()
  }
}

/**
 * Whether the request has a body, which a caller may send very slowly to occupy the connection. Uploads do not count,
 * because their signature is checked before the body is read.
 */
const isHalfSent = ({ url = '', headers }: IncomingMessage) =>
  (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0') &&
  !url.startsWith('/v1/uploads/')
