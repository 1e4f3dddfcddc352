/** Who is expected, and who is there under which address. */
export class Match {
  constructor({ teams = [] }) {
    this.addresses = new Map()
    this.expect(teams)
  }

  /** Who plays now: whoever left is let go, and whoever came may greet. */
  expect(teams) {
    this.expected = new Set(teams.flatMap(({ players = [] }) => players.map(({ player_id }) => player_id)))
    if (this.expected.size === 0) return
    for (const playerId of this.addresses.keys()) if (!this.expected.has(playerId)) this.addresses.delete(playerId)
  }

  /** False for a stranger. A match without teams (a server started by hand) takes everyone. */
  greet(playerId, address) {
    if (this.expected.size > 0 && !this.expected.has(playerId)) return false
    // Coming back from another address replaces the old one: a player who reconnects is not a second player.
    this.addresses.set(playerId, address)
    return true
  }

  playerAt({ address, port }) {
    for (const [playerId, at] of this.addresses) if (at.address === address && at.port === port) return playerId
    return undefined
  }

  others(playerId) {
    return [...this.addresses].filter(([other]) => other !== playerId).map(([, address]) => address)
  }

  get count() {
    return `${this.addresses.size}/${this.expected.size}`
  }
}
