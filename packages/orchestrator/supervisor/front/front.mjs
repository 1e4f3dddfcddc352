// One external port with TLS, and its connections to the game server.
import { createServer as createTcpServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { Gate } from './gate.mjs'
import { Relay } from './relay.mjs'

/** Milliseconds within which a stranger must have finished the TLS handshake. */
const HANDSHAKE_MS = 10_000
/**
 * Milliseconds for which a side may take no byte while bytes wait for it, and for which one side may stay open after the other has ended.
 */
const STALL_MS = 60_000
/** Connections that the kernel keeps until the front accepts them. */
const BACKLOG = 1_024

export class Front {
  #port
  #tls
  #tcp
  #gate = new Gate()
  /** Places of the connections, by the address and port of the player. */
  #places = new Map()
  #relays = new Set()
  /** Called when no connection is left; absent until the game server has ended. */
  #finished

  #stallMs

  /**
   * `port` has the external `port`, and the `inner` port on which the game server listens. Only tests give other times than the usual ones.
   */
  constructor(port, certificate, { handshakeMs = HANDSHAKE_MS, stallMs = STALL_MS }) {
    this.#port = port
    this.#stallMs = stallMs
    this.#tls = createTlsServer({ ...certificate, minVersion: 'TLSv1.2', handshakeTimeout: handshakeMs }, (socket) =>
      this.#join(socket),
    )
    // A handshake that fails concerns nobody else, and Node closes its connection.
    this.#tls.on('tlsClientError', (_, socket) => socket.destroy())
    // Connections are admitted before TLS costs anything for them.
    this.#tcp = createTcpServer({ noDelay: true, keepAlive: true }, (raw) => this.#admit(raw))
  }

  /** Rejects when the port is in use. */
  listen() {
    return new Promise((resolve, reject) => {
      this.#tcp.once('error', reject)
      const listening = () => {
        this.#tcp.off('error', reject)
        this.#tcp.on('error', () => {}) // accepting failed, for instance for want of file descriptors
        resolve()
      }
      const listen = (host) => this.#tcp.listen({ port: this.#port.port, host, backlog: BACKLOG }, listening)
      // A machine without IPv6 has only IPv4.
      this.#tcp.once('error', (error) => {
        if (error.code !== 'EAFNOSUPPORT' && error.code !== 'EADDRNOTAVAIL') return
        this.#tcp.off('error', reject)
        this.#tcp.once('error', reject)
        listen('0.0.0.0')
      })
      listen('::')
    })
  }

  /** Uses another certificate for new connections; the others go on. */
  renew(certificate) {
    this.#tls.setSecureContext({ ...certificate, minVersion: 'TLSv1.2' })
  }

  /** Ends the connections with a side that has taken no byte for too long. */
  endStalled() {
    const since = performance.now() - this.#stallMs
    for (const relay of this.#relays) relay.endIfStalled(since)
  }

  /** Takes no more connections. Resolves when all players have the last bytes of the game server, and have closed their side. */
  finish() {
    this.#tcp.close()
    for (const relay of this.#relays) relay.finish()
    return new Promise((resolve) => {
      this.#finished = resolve
      if (this.#relays.size === 0) resolve()
    })
  }

  #admit(raw) {
    const place = this.#gate.enter(raw.remoteAddress, () => raw.destroy())
    if (place === undefined) return raw.resetAndDestroy()
    const peer = peerOf(raw)
    this.#places.set(peer, place)
    raw.once('close', () => {
      place.leave()
      if (this.#places.get(peer) === place) this.#places.delete(peer)
    })
    this.#tls.emit('connection', raw)
  }

  #join(outer) {
    this.#places.get(peerOf(outer))?.shakeHands()
    if (this.#finished !== undefined) return outer.destroy()
    // Only now: a stranger who ends its side during the handshake would keep its place until the handshake is late.
    outer.allowHalfOpen = true
    const relay = new Relay(outer, this.#port.inner, () => {
      this.#relays.delete(relay)
      if (this.#relays.size === 0) this.#finished?.()
    })
    this.#relays.add(relay)
  }
}

const peerOf = ({ remoteAddress, remotePort }) => `${remoteAddress} ${remotePort}`
