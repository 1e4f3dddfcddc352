// Limits of connections, so that one address leaves places to the others.

/** The most connections of one port. */
export const MOST = 4_096
/** The most connections of one address, so that one stranger leaves places for others. */
export const MOST_OF_ADDRESS = 2_048
/** The most unfinished handshakes of one port, and of one address. A handshake costs more than any other step. */
export const HANDSHAKES = 1_024
export const HANDSHAKES_OF_ADDRESS = 512

/** Counts connections by address. */
export class Gate {
  #all = { open: 0, shaking: 0 }
  #byAddress = new Map()
  /** Unfinished handshakes, oldest first: functions that end them. */
  #shaking = new Set()

  /**
   * Returns a place for a connection; undefined when there is none. When the port has too many unfinished handshakes, the oldest gets
   * `drop` called and loses its place: a player needs far less time than strangers who only hold places.
   */
  enter(remoteAddress, drop = () => {}) {
    const address = networkOf(remoteAddress ?? '')
    const its = this.#byAddress.get(address) ?? { open: 0, shaking: 0 }
    const all = this.#all
    if (all.open >= MOST) return undefined
    if (its.open >= MOST_OF_ADDRESS || its.shaking >= HANDSHAKES_OF_ADDRESS) return undefined
    if (all.shaking >= HANDSHAKES) this.#shaking.values().next().value()
    const move = (open, shakes) => {
      for (const count of [all, its]) {
        count.open += open
        count.shaking += shakes
      }
    }
    this.#byAddress.set(address, its)
    move(1, 1)
    let isIn = true
    const shakeHands = () => {
      if (this.#shaking.delete(end)) move(0, -1)
    }
    const leave = () => {
      if (!isIn) return
      isIn = false
      shakeHands()
      move(-1, 0)
      if (its.open === 0 && this.#byAddress.get(address) === its) this.#byAddress.delete(address)
    }
    const end = () => {
      leave()
      drop()
    }
    this.#shaking.add(end)
    return { shakeHands, leave }
  }
}

/** Returns the IPv4 address, or the first 64 bits of the IPv6 address: one subscriber has at least so many addresses. */
export function networkOf(address) {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped !== null) return mapped[1]
  if (!address.includes(':')) return address
  const [head, tail] = address.split('%')[0].split('::')
  const groups = (text) => (text === undefined || text === '' ? [] : text.split(':'))
  const missing = Math.max(0, 8 - groups(head).length - groups(tail).length)
  return [...groups(head), ...Array(missing).fill('0'), ...groups(tail)].slice(0, 4).join(':')
}
