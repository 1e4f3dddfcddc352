import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '@matchyard/http'
import { type Crowd, Crowds } from './crowds'

export interface Connection {
  /** Requests on it that are not answered to their end. */
  inHand: number
  /** By `performance.now()`. */
  usedAt: number
  /** All connections of its address. */
  readonly crowd: Crowd<Socket>
}

/** The most that this node's streams take, and a fifth for everything else: a call finds a connection beside any number of streams. */
export const MAX_CONNECTIONS = 24_000

/**
 * The connections of a server, up to a bound. Past it the address that has the most of them gives one up: the one on which nothing has been in hand
 * for the longest, which its client is used to, or else the one that has sent a part of a body for the longest. One address, with however many
 * connections, keeps no other address out; a proxy in front is one address, and gives up its idle ones.
 */
export class Connections {
  readonly open = new Map<Socket, Connection>()
  private readonly crowds = new Crowds<Socket>()
  /** How many there have been. */
  came = 0

  constructor(
    server: Server,
    private readonly max = MAX_CONNECTIONS,
  ) {
    server.on('connection', (socket: Socket) => this.add(socket))
    // This listener runs before the handler of the request.
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

/** Whether a body is announced whose sender takes as long as it likes. An upload may: its signature is judged before its body is read. */
const isHalfSent = ({ url = '', headers }: IncomingMessage) =>
  (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0') &&
  !url.startsWith('/v1/uploads/')
