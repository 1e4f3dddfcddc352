import type { TrialRating } from './chances'
import type { RatedSkill } from './players'

/** Player of a match, with the rating before it. */
export interface PlayerAtMatch extends RatedSkill {
  /** True skill. */
  readonly skill: number
  /** Number of matches that the player had finished before. */
  readonly played: number
}

/** Match of a trial. The chances are those of its first team. */
export interface PlayedMatch {
  /** Probability of winning that the service predicted. */
  readonly predicted: number
  /** Probability of winning by the true skills. */
  readonly chance: number
  readonly isFirstWinner: boolean
  /** Number of the season; 0 before the first season begins. */
  readonly season: number
  /** Whether the match was even by its prediction, or the waiting players could have formed an even match. */
  readonly couldBeEven: boolean
  readonly players: readonly PlayerAtMatch[]
}

/** A trial after its last match. */
export interface Finished {
  readonly rating: TrialRating
  readonly matches: readonly PlayedMatch[]
  /** All players, with their ratings after the last match. */
  readonly players: readonly PlayerAtMatch[]
}
