import type { FieldDraw, Weights } from '../rules/value-kind'
import type { MatchmakingConfig } from '../types'

/** Parties that come independently of one another. */
export interface GeneratedArrivals {
  /** Parties per second. */
  readonly rate: number
  readonly parties: number
  /** Players per party, by weight; default all alone. */
  readonly party_sizes?: Weights | undefined
  readonly fields?: Readonly<Record<string, FieldDraw>> | undefined
}

/** Behaviour of players and game servers after a match is found. */
export interface Live {
  /** Shares of the asked players that decline and that do not answer. */
  readonly decline: number
  readonly silent: number
  /** An answer comes within so many seconds. */
  readonly answerSeconds: number
  /** How long a match is played; without it a match is over in the instant it is made. */
  readonly matchSeconds: number | undefined
  /** Share of the matches that lose a player on the way. */
  readonly leave: number
  /** Matches that can be played at once. */
  readonly capacity: number
  readonly capacityTimeoutSeconds: number
}

/** Everybody accepts, and a match is over in the instant it is made. */
export const WILLING: Live = {
  decline: 0,
  silent: 0,
  answerSeconds: 5,
  matchSeconds: undefined,
  leave: 0,
  capacity: Number.POSITIVE_INFINITY,
  capacityTimeoutSeconds: 120,
}

/** Scenario: the rules and the arrivals of a simulation. */
export interface Scenario {
  readonly name: string
  /** Seed of the players' behaviour after a match is found. */
  readonly seed: number
  readonly config: MatchmakingConfig
  readonly live?: Live | undefined
  /** Seconds that players are given to answer; undefined where nobody is asked. */
  readonly readyCheckSeconds?: number | undefined
  /** Seconds that a match searches for whom it lost; undefined where it does not by itself. */
  readonly backfillSeconds?: number | undefined
  /** How long a party searches. */
  readonly timeoutSeconds: number
  /** Seconds between ticks when people keep arriving: how fast the director is. */
  readonly tickSeconds: number
  /** About how long people come: a plot over time has two hundred points in it. */
  readonly spanSeconds: number
}

/** A director that ticks on change. */
export const TICK_SECONDS = 0.05
export const DEFAULT_TIMEOUT_SECONDS = 300
