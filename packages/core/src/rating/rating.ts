import type { Instant } from '../shared/time'

/** Models of the library `openskill` that compute ratings. */
export const RATING_MODELS = [
  'plackettLuce',
  'bradleyTerryFull',
  'bradleyTerryPart',
  'thurstoneMostellerFull',
  'thurstoneMostellerPart',
] as const
/** Model that computes ratings, one of `RATING_MODELS`. */
export type RatingModel = (typeof RATING_MODELS)[number]

/** Estimate of a player's skill: `mu` is the estimate, `sigma` its uncertainty. */
export interface Skill {
  /** Estimate of the skill. */
  readonly mu: number
  /** Uncertainty of the estimate. */
  readonly sigma: number
}

/** Parameters of the model, which every call of the library gets. */
export interface RatingParams {
  /** Distance of skill that lets the better player win about four of five matches. Default: 25/6. */
  readonly beta: number
  /** Uncertainty that every match adds, so that ratings stay able to change. Default: 25/300. */
  readonly tau: number
  /** Whether a match never raises the uncertainty of a player. Default: false. */
  readonly limitSigma: boolean
}

/** How the displayed number follows from a skill. */
export interface RatingDisplay {
  /** Number that a new player has. Default: 1,500. */
  readonly base: number
  /** Points for one `sigma` of the initial skill. Default: 500. */
  readonly perSigma: number
}

/** Season of a rating. Its number in the list, from 1, is stored in the standings. */
export interface Season {
  /** Name of the season, unique in the rating. */
  readonly name: string
  /** Share of the distance to the initial skill that a player keeps at the begin of the season, 0 to 1. */
  readonly keep: number
  /** Time at which the season began. */
  readonly startedAt: Instant
}

/** Settings of a rating that its developer chooses. */
export interface RatingSettings {
  /** Display name. */
  readonly name: string
  /** Model that computes the ratings; fixed once a match was counted. */
  readonly model: RatingModel
  /** Parameters of the model. */
  readonly params: RatingParams
  /** Skill of a player without matches. */
  readonly initial: Skill
  /** How the displayed number follows from a skill. */
  readonly display: RatingDisplay
  /** Number of matches after which a player is listed in the leaderboard. Default: 5. */
  readonly placementMatches: number
}

/** A rating: how the results of the matches of some queues change the skills of their players. `id` is `{projectId}/{ratingId}`. */
export interface Rating extends RatingSettings {
  /** Id of the row: `{projectId}/{ratingId}`. */
  readonly id: string
  /** Version, which grows by one with each change. */
  readonly version: number
  /** Project of the rating. */
  readonly projectId: string
  /** Id of the rating, by which queues name it: 1 to 64 characters of a-z, 0-9 and underscore. */
  readonly ratingId: string
  /** Key of this rating in its standings and counters (`newRatingKey`). */
  readonly key: string
  /** Seasons, oldest first. Before the first one, standings have the season number 0. */
  readonly seasons: readonly Season[]
  /** Time of creation. */
  readonly createdAt: Instant
  /** Time of the last change. */
  readonly updatedAt: Instant
}

export const RATING_DEFAULTS = {
  model: 'plackettLuce',
  // The defaults of the library for its own initial skill, mu 25 and sigma 25/3.
  params: { beta: 25 / 6, tau: 25 / 300, limitSigma: false },
  initial: { mu: 25, sigma: 8.333 },
  display: { base: 1_500, perSigma: 500 },
  placementMatches: 5,
} as const satisfies Omit<RatingSettings, 'name'>

export const ratingRowId = (projectId: string, ratingId: string): string => `${projectId}/${ratingId}`

/**
 * Returns the key of a new rating in its standings and counters. It contains the time of creation, because a rating that is deleted and
 * created again begins without standings.
 */
export const newRatingKey = ({ id, createdAt }: Pick<Rating, 'id' | 'createdAt'>): string => `${id}@${createdAt}`

/** Returns the number of the present season; 0 before the first season. */
export const seasonNow = ({ seasons }: Pick<Rating, 'seasons'>): number => seasons.length

/** Returns the name of a season by its number; null before the first season. */
export const seasonName = ({ seasons }: Pick<Rating, 'seasons'>, season: number): string | null =>
  seasons[season - 1]?.name ?? null

/** Returns the displayed number of a skill, which queues with this rating write into the state of a player. */
export const shownValue = ({ display, initial }: Pick<Rating, 'display' | 'initial'>, { mu }: Skill): number =>
  whole(display.base + (display.perSigma * (mu - initial.mu)) / initial.sigma)

/** Returns the displayed uncertainty of a skill, in the same points as the displayed number. */
export const shownUncertainty = ({ display, initial }: Pick<Rating, 'display' | 'initial'>, { sigma }: Skill): number =>
  whole((display.perSigma * sigma) / initial.sigma)

/** Rounds, and returns 0 in place of -0, which JSON does not have. */
const whole = (value: number): number => Math.round(value) + 0
