import { AROUND_PLAYER } from '@matchyard/core/domain'
import { keyOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { pageQuery } from '../wire/query'
import { calibration, leaderboardQuery, newSeason, rating, ratingSettings, season, standing } from '../wire/rating'
import { countedStretchOf } from '../wire/shared'
import { created, NO_CONTENT, ok, page } from './answers'

const set = endpoint({
  operation: 'ratings.set',
  method: 'put',
  path: '/v1/ratings/{rating_id}',
  summary: 'Creates a rating, or replaces its settings.',
  body: ratingSettings,
  success: ok(rating),
})

const get = endpoint({
  operation: 'ratings.get',
  method: 'get',
  path: '/v1/ratings/{rating_id}',
  summary: 'Returns a rating.',
  success: ok(rating),
})

const list = endpoint({
  operation: 'ratings.list',
  method: 'get',
  path: '/v1/ratings',
  summary: "Lists the project's ratings, sorted by rating id.",
  query: pageQuery,
  success: page(rating),
})

const remove = endpoint({
  operation: 'ratings.delete',
  method: 'delete',
  path: '/v1/ratings/{rating_id}',
  summary: 'Deletes a rating that no queue names, with all its standings.',
  success: NO_CONTENT,
})

const startSeason = endpoint({
  operation: 'ratings.startSeason',
  method: 'post',
  path: '/v1/ratings/{rating_id}/seasons',
  summary: 'Begins a season of the rating.',
  body: newSeason,
  success: created(season),
})

const seasons = endpoint({
  operation: 'ratings.seasons',
  method: 'get',
  path: '/v1/ratings/{rating_id}/seasons',
  summary: 'Lists the seasons of the rating, newest first.',
  query: pageQuery,
  success: page(season),
})

const leaderboard = endpoint({
  operation: 'ratings.leaderboard',
  method: 'get',
  path: '/v1/ratings/{rating_id}/leaderboard',
  summary: 'Returns a part of the leaderboard: mu - 3 sigma from high to low.',
  query: leaderboardQuery,
  success: ok(countedStretchOf(standing)),
  async handle(call) {
    const { projectId } = keyOf(call)
    const { limit, offset: _refused, ...query } = call.query
    const board = { projectId, ratingId: call.params.rating_id, limit, ...query }
    const found = await call.matchyard.ratings.leaderboard(board)
    return { ...found, limit: query.around === undefined ? limit : 2 * AROUND_PLAYER + 1 }
  },
})

const calibrated = endpoint({
  operation: 'ratings.calibration',
  method: 'get',
  path: '/v1/ratings/{rating_id}/calibration',
  summary: 'Compares predicted with real outcomes of the rated matches, in ten buckets.',
  success: ok(calibration),
})

const ofPlayer = endpoint({
  operation: 'ratings.ofPlayer',
  method: 'get',
  path: '/v1/players/{player_id}/ratings',
  summary: "Lists a player's standings in the present seasons, sorted by rating id.",
  query: pageQuery,
  success: page(standing),
})

export const RATING_ENDPOINTS: readonly Endpoint[] = [
  set,
  get,
  list,
  remove,
  startSeason,
  seasons,
  leaderboard,
  calibrated,
  ofPlayer,
]
