import type { RatingParams, Skill } from './rating'

/** Result of a match, as far as ratings need it. Either all teams have a rank, or all have a score, of which a higher one is better. */
export interface RatedOutcome {
  /** Results of the teams. */
  readonly teams: readonly {
    /** Name of the team. */
    readonly name: string
    /** Place of the team, from 1; absent when the scores decide. */
    readonly rank?: number
    /** Score of the team; absent when the ranks decide. */
    readonly score?: number
  }[]
  /** Results of players. Default: none. */
  readonly players?: readonly {
    /** Id of the player. */
    readonly playerId: string
    /** Whether the player left before the match was decided. Default: false. */
    readonly left?: boolean
  }[]
  /** Whether the match was played to its end. A match that was not counts for nothing. */
  readonly completed: boolean
}

/** Roster of a match, as far as ratings need it. */
export interface Roster {
  readonly teams: readonly {
    readonly name: string
    readonly players: readonly { readonly playerId: string; readonly leftAt: number | null }[]
  }[]
}

/** Team of a counted match, with the skills that its players had before it. The id of an erased player is empty. */
export interface CountedTeam {
  /** Name of the team. */
  readonly name: string
  /** Players of the team, with their skills before the match. */
  readonly players: readonly (Skill & {
    /** Id of the player; empty after the player was erased. */
    readonly playerId: string
  })[]
  /** Predicted probability that the team wins. */
  readonly predicted: number
}

/** Stored with a match that was counted, so that an amendment of its result can take the first count back. */
export interface CountedMatch {
  /** Key of the rating (`Rating.key`). */
  readonly ratingKey: string
  /** Number of the season in which the match was counted. */
  readonly season: number
  /** Parameters of the model with which the match was counted. An amendment uses them again, also after the rating has others. */
  readonly params: RatingParams
  /** Teams of the match. */
  readonly teams: readonly CountedTeam[]
}

/** Returns the players of each team. A player who left and came back counts for the team in which they played last. */
export function playersByTeam({ teams }: Roster): { readonly name: string; readonly playerIds: readonly string[] }[] {
  const last = new Map<string, number>()
  for (const isLeft of [true, false]) {
    teams.forEach(({ players }, team) => {
      for (const { playerId, leftAt } of players) if ((leftAt !== null) === isLeft) last.set(playerId, team)
    })
  }
  return teams.map(({ name, players }, team) => ({
    name,
    playerIds: [...new Set(players.map(({ playerId }) => playerId))].filter(
      (playerId) => playerId === '' || last.get(playerId) === team,
    ),
  }))
}

/** Returns the rank of each team of a result by its name: 1 is the best, and equal teams share a rank. */
export function ranksOf({ teams }: RatedOutcome): ReadonlyMap<string, number> {
  const ranked = teams.every(({ rank }) => rank !== undefined)
  return new Map(
    teams.map(({ name, rank = 1, score = 0 }) => [
      name,
      ranked ? rank : 1 + teams.filter((other) => (other.score ?? 0) > score).length,
    ]),
  )
}

/** Returns the counted match after the erasure of a player's data. */
export const withoutCounted = (counted: CountedMatch, playerId: string): CountedMatch => ({
  ...counted,
  teams: counted.teams.map((team) => ({
    ...team,
    players: team.players.map((player) => (player.playerId === playerId ? { ...player, playerId: '' } : player)),
  })),
})
