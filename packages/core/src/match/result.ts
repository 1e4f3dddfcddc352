import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'

/** Result of one team. */
export interface TeamResult {
  /** Name of the team. */
  readonly name: string
  /** Place of the team, from 1; teams with the same place share it. null when the scores decide. */
  readonly rank: number | null
  /** Score of the team; a higher score is better. null without one. */
  readonly score: number | null
}

/** Result of one player. */
export interface PlayerResult {
  /** Id of the player; empty after the player's data were erased. */
  readonly playerId: string
  /** Score of the player; null without one. */
  readonly score: number | null
  /** Figures of the game about the player, which only backends see; absent without figures. */
  readonly stats?: JsonObject
  /** Whether the player left before the match was decided. */
  readonly left: boolean
}

/** Author of a result: the project's backend with a server key, or the game server of the match. */
export const RESULT_AUTHORS = ['backend', 'server'] as const
/** Author of a result, one of `RESULT_AUTHORS`. */
export type ResultAuthor = (typeof RESULT_AUTHORS)[number]

/** Result of a match, as its game server or a backend reports it, with all defaults. */
export interface ReportedResult {
  /** Results of the teams. */
  readonly teams: readonly TeamResult[]
  /** Results of players. */
  readonly players: readonly PlayerResult[]
  /** Whether the match was played to its end. The result of a match that was not counts for nothing. */
  readonly completed: boolean
}

/** Recorded result of a match. A match has at most one. */
export interface MatchResult extends ReportedResult {
  /** Author of the present values. */
  readonly recordedBy: ResultAuthor
  /** Instant at which the first result of the match was recorded. */
  readonly recordedAt: Instant
  /** Instant of the last amendment; null for a result that was not amended. */
  readonly amendedAt: Instant | null
}

/** Result of a match, as a caller sends it. */
export interface ResultReport {
  /** Result of each team of the match: `rank` for all teams, or `score` for all teams. With both, the ranks decide. */
  readonly teams: readonly {
    /** Name of a team of the match. */
    readonly name: string
    /** Place of the team, 1 to 1,000,000; teams may share a place. */
    readonly rank?: number | undefined
    /** Score of the team; higher is better. */
    readonly score?: number | undefined
  }[]
  /** Results of players of the match. Players who left may be listed too. Default: none. */
  readonly players?:
    | readonly {
        /** Player of the match, also one who left. */
        readonly playerId: string
        /** Score of the player. */
        readonly score?: number | undefined
        /** Figures of the game about the player, at most 2 KiB of JSON; shown to backends only. */
        readonly stats?: JsonObject | undefined
        /** Whether the player left before the match was decided. Default: false. */
        readonly left?: boolean | undefined
      }[]
    | undefined
  /** Whether the match was played to its end. Default: true. */
  readonly completed?: boolean | undefined
}

/** Returns the outcome that a report describes, with all defaults. */
export const outcomeOf = ({ teams, players = [], completed = true }: ResultReport): ReportedResult => ({
  teams: teams.map(({ name, rank = null, score = null }) => ({ name, rank, score })),
  players: players.map(({ playerId, score = null, stats = {}, left = false }) => ({
    ...{ playerId, score, left },
    ...(Object.keys(stats).length === 0 ? {} : { stats }),
  })),
  completed,
})

/** Returns the result without the figures that only backends see. */
export const withoutStats = (result: MatchResult): MatchResult => ({
  ...result,
  players: result.players.map(({ stats: _, ...player }) => player),
})

/** Returns the result after the erasure of a player's data: the score stays, without the player's id and figures. */
export const withoutPlayerId = (result: MatchResult, playerId: string): MatchResult => ({
  ...result,
  players: result.players.map(({ stats, ...player }) => {
    if (player.playerId === playerId) return { ...player, playerId: '' }
    return stats === undefined ? player : { ...player, stats }
  }),
})
