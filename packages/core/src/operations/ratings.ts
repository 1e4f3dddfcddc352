import { deleteRating } from '../use-cases/ratings/delete-rating'
import { leaderboard } from '../use-cases/ratings/leaderboard'
import { getRating, listRatings, ratingCalibration, ratingsOfPlayer } from '../use-cases/ratings/read-ratings'
import { listSeasons, startSeason } from '../use-cases/ratings/seasons'
import { setRating } from '../use-cases/ratings/set-rating'
import { BACKEND, PLAYERS } from './callers'
import { type CallsOf, operation } from './operation'

/** Ratings: skills of players, which the results of matches change. */
export const ratings = {
  /**
   * Creates a rating, or replaces its settings as a whole. Model and initial skill cannot change after a match was counted. Rejects with
   * `VALIDATION_FAILED`, `PROJECT_NOT_FOUND`, `PLAN_LIMIT_EXCEEDED`. A repeated call rejects with `RATING_NOT_FOUND` when the rating was
   * deleted since.
   */
  set: operation({
    callers: BACKEND,
    role: 'developer',
    fields: ['name', 'model?', 'params?', 'initial?', 'display?', 'placementMatches?', 'ratingId', 'projectId'],
    refusals: ['PLAN_LIMIT_EXCEEDED', 'RATING_NOT_FOUND'],
    audit: 'always',
    run: setRating,
  }),

  /** Returns a rating. Rejects with `RATING_NOT_FOUND`. */
  get: operation({
    callers: BACKEND,
    role: 'viewer',
    fields: ['ratingId', 'projectId'],
    refusals: ['RATING_NOT_FOUND'],
    run: getRating,
  }),

  /** Returns a page of the project's ratings, by rating id. */
  list: operation({ callers: BACKEND, role: 'viewer', fields: ['projectId', 'limit?', 'offset?'], run: listRatings }),

  /** Deletes a rating with its standings. Rejects with `RATING_NOT_FOUND`. Rejects with `RATING_IN_USE` while a queue names it. */
  delete: operation({
    callers: BACKEND,
    role: 'developer',
    fields: ['ratingId', 'projectId'],
    refusals: ['RATING_NOT_FOUND', 'RATING_IN_USE'],
    audit: 'always',
    run: deleteRating,
  }),

  /**
   * Begins a season: each player moves toward the initial skill when they next play. Rejects with `RATING_NOT_FOUND`, `VALIDATION_FAILED`.
   */
  startSeason: operation({
    callers: BACKEND,
    role: 'developer',
    fields: ['name', 'keep', 'ratingId', 'projectId'],
    refusals: ['RATING_NOT_FOUND'],
    audit: 'always',
    run: startSeason,
  }),

  /** Returns a page of the seasons of a rating, newest first. Rejects with `RATING_NOT_FOUND`. */
  seasons: operation({
    callers: BACKEND,
    role: 'viewer',
    fields: ['ratingId', 'projectId', 'limit?', 'offset?'],
    refusals: ['RATING_NOT_FOUND'],
    run: listSeasons,
  }),

  /**
   * Returns a part of the leaderboard of a rating: by cursor, or around a player. Rejects with `RATING_NOT_FOUND`, `VALIDATION_FAILED`.
   */
  leaderboard: operation({
    callers: PLAYERS,
    role: 'viewer',
    fields: ['season?', 'placement?', 'around?', 'cursor?', 'limit?', 'ratingId', 'projectId'],
    refusals: ['RATING_NOT_FOUND'],
    run: leaderboard,
  }),

  /** Returns predicted and real outcomes of the rated matches, in ten buckets. Rejects with `RATING_NOT_FOUND`. */
  calibration: operation({
    callers: BACKEND,
    role: 'viewer',
    fields: ['ratingId', 'projectId'],
    refusals: ['RATING_NOT_FOUND'],
    run: ratingCalibration,
  }),

  /** Returns a page of a player's standings in the present seasons of all ratings, by rating id. */
  ofPlayer: operation({
    callers: PLAYERS,
    role: 'viewer',
    fields: ['playerId', 'projectId', 'limit?', 'offset?'],
    run: ratingsOfPlayer,
  }),
}

/**
 * Ratings: skills of players, which the results of matches change.
 *
 * @interface
 */
export type Ratings = CallsOf<typeof ratings>
