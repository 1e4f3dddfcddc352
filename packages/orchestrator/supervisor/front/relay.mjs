// Passes the bytes of one player on to the game server, and back.
import { connect } from 'node:net'

/** Addresses of the game server, in the order in which they are tried: it may listen on one of them only. */
const INNER_HOSTS = ['127.0.0.1', '::1']

export class Relay {
  #outer
  #inner
  #onEnd
  #ended = false
  /** Time since which a side takes no bytes, or has ended; Infinity when all is well. */
  #since = { outer: Number.POSITIVE_INFINITY, inner: Number.POSITIVE_INFINITY, end: Number.POSITIVE_INFINITY }

  constructor(outer, innerPort, onEnd) {
    this.#outer = outer
    this.#onEnd = onEnd
    // No bytes are read of the player before the game server takes the connection, which is bounded like taking bytes.
    outer.pause()
    this.#since.inner = performance.now()
    outer.on('error', () => this.end())
    outer.on('close', () => this.end())
    this.#connect(innerPort, 0)
  }

  end() {
    if (this.#ended) return
    this.#ended = true
    this.#outer.destroy()
    this.#inner?.destroy()
    this.#onEnd()
  }

  /** Ends the connection when a side has taken no bytes, or has been the only one that is open, since before this time. */
  endIfStalled(since) {
    const { outer, inner, end } = this.#since
    if (Math.min(outer, inner, end) <= since) this.end()
  }

  /** Ends the connection if the game server has not taken it, and otherwise leaves the end to the last bytes of the game server. */
  finish() {
    if (this.#inner.connecting) this.end()
  }

  #connect(port, index) {
    const inner = connect({ port, host: INNER_HOSTS[index], noDelay: true, allowHalfOpen: true })
    this.#inner = inner
    const refused = () => {
      if (this.#ended || index + 1 >= INNER_HOSTS.length) this.end()
      else this.#connect(port, index + 1)
    }
    inner.once('error', refused)
    inner.once('connect', () => {
      if (this.#ended) return inner.destroy()
      inner.off('error', refused)
      inner.on('error', () => {}) // `close` follows
      inner.on('close', () => this.#gameGone())
      this.#since.inner = Number.POSITIVE_INFINITY
      this.#pass(this.#outer, inner, 'inner')
      this.#pass(inner, this.#outer, 'outer')
    })
  }

  /** The player still gets the bytes that were read of the game server; closing the socket at once would drop them. */
  #gameGone() {
    if (this.#ended) return
    this.#since.end = Math.min(this.#since.end, performance.now())
    this.#outer.end()
    this.#outer.resume()
  }

  /** Passes bytes on; `side` is the side that takes them. A side that takes no bytes stops the reading of the other side. */
  #pass(from, to, side) {
    from.on('data', (chunk) => {
      if (to.destroyed || to.write(chunk)) return
      from.pause()
      this.#since[side] = performance.now()
    })
    to.on('drain', () => {
      this.#since[side] = Number.POSITIVE_INFINITY
      from.resume()
    })
    from.on('end', () => {
      this.#since.end = Math.min(this.#since.end, performance.now())
      to.end()
    })
    from.resume()
  }
}
