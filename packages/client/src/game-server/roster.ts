import type { WireTeam } from './configuration'
import type { JsonObject } from './json'
import type { MatchUpdate, Player, Team } from './match'

/** How long somebody is known to have left, in milliseconds: far longer than a join token holds that they may still have. */
const GONE_KEPT_MS = 3_600_000
/** Number of newest departures that are kept, where more players leave in that time. */
const GONE_KEPT = 10_000

/** Roster: the present players, the new ones and the departed ones. */
export class Roster {
  teams: readonly Team[]
  version: number
  /** When somebody who does not play any more was last known to, in milliseconds. */
  private readonly gone = new Map<string, number>()

  constructor(teams: readonly WireTeam[], version: number) {
    this.teams = frozen(teams)
    this.version = version
  }

  find(playerId: string): Player | undefined {
    return playersOf(this.teams).find((player) => player.playerId === playerId)
  }

  /** Since when somebody does not play any more; undefined for who plays, and for who is not known. */
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

  /** The match as it is now. undefined where nothing is new. */
  update(wire: readonly WireTeam[], version: number): MatchUpdate | undefined {
    // A stream that is resumed may tell the same again.
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
