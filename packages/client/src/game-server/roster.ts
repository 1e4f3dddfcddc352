import type { WireTeam } from './configuration'
import type { JsonObject } from './json'
import type { MatchUpdate, Player, Team } from './match'

/** Milliseconds for which a departure is remembered: much longer than a join token is valid. */
const GONE_KEPT_MS = 3_600_000
/** Maximum number of departures that are remembered; the newest are kept. */
const GONE_KEPT = 10_000

/** Players of a match: the present players, and the players who have left. */
export class Roster {
  teams: readonly Team[]
  version: number
  /** Time of departure by player id, in milliseconds. */
  private readonly gone = new Map<string, number>()

  constructor(teams: readonly WireTeam[], version: number) {
    this.teams = frozen(teams)
    this.version = version
  }

  find(playerId: string): Player | undefined {
    return playersOf(this.teams).find((player) => player.playerId === playerId)
  }

  /** Returns the time of a player's departure; undefined for present and unknown players. */
  goneSince(playerId: string): number | undefined {
    return this.gone.get(playerId)
  }

  markGone(playerId: string): void {
    const now = Date.now()
    this.gone.delete(playerId)
    this.gone.set(playerId, now)
    for (const [first, since] of this.gone) {
      if (since > now - GONE_KEPT_MS && this.gone.size <= GONE_KEPT) break
      this.gone.delete(first)
    }
  }

  /** Stores the current players of the match. Returns the change; undefined when nothing changed. */
  update(wire: readonly WireTeam[], version: number): MatchUpdate | undefined {
    // A resumed stream may send the same version again.
    if (version <= this.version) return undefined
    const before = playersOf(this.teams)
    const teams = frozen(wire)
    const now = playersOf(teams)
    const left = before.filter(({ playerId }) => !now.some((player) => player.playerId === playerId))
    const joined = now.filter(({ playerId }) => !before.some((player) => player.playerId === playerId))
    for (const { playerId } of left) this.markGone(playerId)
    for (const { playerId } of joined) this.gone.delete(playerId)
    this.teams = teams
    this.version = version
    return { version, teams, joined, left }
  }
}

const playersOf = (teams: readonly Team[]): readonly Player[] => teams.flatMap(({ players }) => players)

const frozen = (teams: readonly WireTeam[]): readonly Team[] =>
  Object.freeze(
    teams.map(({ name, players }) =>
      Object.freeze({
        name,
        players: Object.freeze(
          players.map(({ player_id, lobby_id, role, state }) =>
            Object.freeze<Player<JsonObject>>({ playerId: player_id, team: name, role, lobbyId: lobby_id, state }),
          ),
        ),
      }),
    ),
  )
