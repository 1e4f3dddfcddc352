import type { FieldDraw, Weights } from '../rules/value-kind'
import type { MatchmakingConfig } from '../types'

/** Settings of generated parties, which arrive independently of each other. */
export interface GeneratedArrivals {
  /** Average number of parties that arrive per second. */
  readonly rate: number
  readonly parties: number
  /** Weights for the number of players in a party; default: every party has one player. */
  readonly party_sizes?: Weights | undefined
  readonly fields?: Readonly<Record<string, FieldDraw>> | undefined
}

/** Behaviour of players and game servers after a match is found. */
export interface Live {
  /**
   * `decline`: share (0 to 1) of the asked players who decline the match. `silent`: share of the asked players who do
   * not answer.
   */
  readonly decline: number
  readonly silent: number
  /** Most seconds until a player answers a ready check. */
  readonly answerSeconds: number
  /** Seconds that a match runs; undefined when a match ends at once. */
  readonly matchSeconds: number | undefined
  /** Share (0 to 1) of the matches that lose a player. */
  readonly leave: number
  /** Most matches that can run at once. */
  readonly capacity: number
  readonly capacityTimeoutSeconds: number
}

/** Behaviour in which every player accepts, and every match ends at once. */
export const WILLING: Live = {
  decline: 0,
  silent: 0,
  answerSeconds: 5,
  matchSeconds: undefined,
  leave: 0,
  capacity: Number.POSITIVE_INFINITY,
  capacityTimeoutSeconds: 120,
}

/** The settings of a simulation, without the arrivals. */
export interface Scenario {
  readonly name: string
  /** Seed for the random behaviour of players after a match is found. */
  readonly seed: number
  readonly config: MatchmakingConfig
  /** Numeric fields of players whose spread is measured, besides those of the rules. */
  readonly measuredFields?: readonly string[] | undefined
  readonly live?: Live | undefined
  /** Seconds that players have to answer a ready check; undefined where the queue has no ready check. */
  readonly readyCheckSeconds?: number | undefined
  /** Seconds for which a match searches for a replacement of a lost player; undefined where matches do not search. */
  readonly backfillSeconds?: number | undefined
  /** Seconds until a waiting party times out. */
  readonly timeoutSeconds: number
  /** Seconds between an arrival and the next tick, which stand for the speed of the director. */
  readonly tickSeconds: number
  /** Approximate number of seconds in which parties arrive; a plot divides them into about two hundred periods. */
  readonly spanSeconds: number
}

/** Seconds between an arrival and the next tick, for a director that ticks after every change. */
export const TICK_SECONDS = 0.05
export const DEFAULT_TIMEOUT_SECONDS = 300
