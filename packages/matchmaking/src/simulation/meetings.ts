import type { MatchmakingConfig, RecentPlayer, Ticket } from '../types'
import type { Found } from './asking'

/** Most matches of each player that are kept, the latest first. */
const MAX_MATCHES = 20
/** Most players whose matches are kept; beyond this limit, the players who met others longest ago are forgotten. */
const MAX_PLAYERS = 100_000

/** Keeps the latest matches of each player, as the service does for `recent_opponents` rules. */
export class Meetings {
  private readonly isUsed: boolean
  /** By player: for each match, the players whom the player met in it. */
  private readonly byPlayer = new Map<string, readonly (readonly RecentPlayer[])[]>()

  constructor({ rules = [] }: MatchmakingConfig) {
    this.isUsed = rules.some(({ type }) => type === 'recent_opponents')
  }

  /** Returns a ticket with the players whom its players met in earlier matches of the simulation. */
  withRecent(ticket: Ticket): Ticket {
    if (!this.isUsed) return ticket
    const recentOf = (playerId: string) => (this.byPlayer.get(playerId) ?? []).flat()
    return { ...ticket, players: ticket.players.map((player) => ({ ...player, recent: recentOf(player.playerId) })) }
  }

  /** Records a match that begins at `now`, in epoch milliseconds. */
  begin({ proposal }: Found, now: number): void {
    if (!this.isUsed) return
    const seated = proposal.teams.flatMap(({ name, players }) => players.map(({ playerId }) => ({ playerId, name })))
    for (const { playerId, name } of seated) {
      const met = seated
        .filter((other) => other.playerId !== playerId)
        .map((other) => ({ playerId: other.playerId, at: now, opponent: other.name !== name }))
      const before = this.byPlayer.get(playerId) ?? []
      this.byPlayer.delete(playerId)
      this.byPlayer.set(playerId, [met, ...before].slice(0, MAX_MATCHES))
    }
    for (const playerId of this.byPlayer.keys()) {
      if (this.byPlayer.size <= MAX_PLAYERS) break
      this.byPlayer.delete(playerId)
    }
  }
}
