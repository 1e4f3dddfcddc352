/** The expected players, and the address of each connected player. */
export class Match {
  constructor({ teams = [] }) {
    this.addresses = new Map()
    this.expect(teams)
  }

  /** Sets the players of the match: players who left are dropped, newcomers may greet. */
  expect(teams) {
    this.expected = new Set(teams.flatMap(({ players = [] }) => players.map(({ player_id }) => player_id)))
    if (this.expected.size === 0) return
    for (const playerId of this.addresses.keys()) if (!this.expected.has(playerId)) this.addresses.delete(playerId)
  }

  /**
   * Connects a player; returns false for a stranger. A match without teams (a server started by hand) takes every
   * player.
   */
  greet(playerId, address) {
    if (this.expected.size > 0 && !this.expected.has(playerId)) return false
    // A new address replaces the old one, so a player who reconnects is not counted twice.
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
