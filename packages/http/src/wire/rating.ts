import { z } from '@hono/zod-openapi'
import {
  type Calibration,
  type CalibrationBucket,
  RATING_MODELS,
  type Rating,
  type RatingDisplay,
  type RatingParams,
  type Season,
  type ShownStanding,
  type Skill,
} from '@matchyard/core'
import {
  INITIAL_MU,
  PLACEMENT_MATCHES,
  RATING_DEFAULTS,
  RATING_NUMBER,
  RATING_POINTS,
  type Range,
  SEASON_KEEP,
} from '@matchyard/core/domain'
import {
  answerOf,
  bodyOf,
  instant,
  listOf,
  nullable,
  optional,
  plain,
  queryOf,
  required,
  withDefaults,
} from './codec/index'
import { flagInQuery, walking } from './query'
import { flag, name, number, oneOf, string, whole, wholeIn } from './shared'

const numberIn = ({ min, max }: Range) =>
  plain(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`), z.number())

const paramFields = {
  beta: optional(
    numberIn(RATING_NUMBER),
    'Distance of skill that lets the better player win about four of five matches.',
  ),
  tau: optional(numberIn({ ...RATING_NUMBER, min: 0 }), 'Uncertainty that every match adds.'),
  limitSigma: optional(flag, 'Whether a match never raises the uncertainty of a player.'),
}
const skillFields = {
  mu: optional(numberIn(INITIAL_MU), 'Estimate of the skill.'),
  sigma: optional(numberIn(RATING_NUMBER), 'Uncertainty of the estimate.'),
}
const displayFields = {
  base: optional(numberIn(RATING_POINTS), 'Number that a new player has.'),
  perSigma: optional(numberIn({ ...RATING_POINTS, min: 1 }), 'Points for one `sigma` of the initial skill.'),
}

const params = {
  ...bodyOf(withDefaults(paramFields, RATING_DEFAULTS.params), 'RatingParamsSettings', 'Parameters of the model.'),
  ...answerOf<RatingParams>()(paramFields),
}
const initial = {
  ...bodyOf(withDefaults(skillFields, RATING_DEFAULTS.initial), 'InitialSkill', 'Skill of a player without matches.'),
  ...answerOf<Skill>()(skillFields),
}
const display = {
  ...bodyOf(
    withDefaults(displayFields, RATING_DEFAULTS.display),
    'RatingDisplaySettings',
    'How the displayed number follows from a skill.',
  ),
  ...answerOf<RatingDisplay>()(displayFields),
}

export const ratingSettings = bodyOf({
  name: required(name, 'Display name.'),
  ...withDefaults(
    {
      model: optional(oneOf(RATING_MODELS), 'Model that computes the ratings; fixed once a match was counted.'),
      params: optional(params, 'Parameters of the model; an absent one gets its default.'),
      initial: optional(initial, 'Skill of a player without matches; fixed once a match was counted.'),
      display: optional(display, 'Displayed number of a new player, and points for one `sigma`.'),
      placementMatches: optional(wholeIn(PLACEMENT_MATCHES), 'Matches after which a player is on the leaderboard.'),
    },
    { model: RATING_DEFAULTS.model, placementMatches: RATING_DEFAULTS.placementMatches },
  ),
})

export const rating = answerOf<Rating>()(
  {
    ratingId: required(string, 'Id of the rating.'),
    name: required(string, 'Display name.'),
    model: required(oneOf(RATING_MODELS), 'Model that computes the ratings.'),
    params: required(params, 'Parameters of the model.'),
    initial: required(initial, 'Skill of a player without matches.'),
    display: required(display, 'How the displayed number follows from a skill.'),
    placementMatches: required(whole, 'Matches after which a player is on the leaderboard.'),
    createdAt: required(instant, 'Time of creation.'),
    updatedAt: required(instant, 'Time of the last change.'),
  },
  'Rating',
  'Settings by which results of matches change the skills of players.',
)

export const newSeason = bodyOf({
  name: required(name, 'Name of the season, unique in the rating.'),
  keep: required(numberIn(SEASON_KEEP), 'Share of the distance to the initial skill that players keep.'),
})

export const season = answerOf<Season>()(
  {
    name: required(string, 'Name of the season.'),
    keep: required(number, 'Share of the distance to the initial skill that players keep.'),
    startedAt: required(instant, 'Time at which the season began.'),
  },
  'Season',
  'A season of a rating.',
)

export const standing = answerOf<ShownStanding>()(
  {
    playerId: required(string, 'The player.'),
    ratingId: required(string, 'The rating.'),
    season: required(nullable(string), 'Season of the standing; null before the first one.'),
    mu: required(number, 'Estimate of the skill.'),
    sigma: required(number, 'Uncertainty of the estimate.'),
    value: required(whole, 'Displayed number.'),
    matches: required(whole, 'Counted matches of the season.'),
    placed: required(flag, 'Whether the player has played enough matches for the leaderboard.'),
    rank: required(
      nullable(whole),
      'Place on the leaderboard, from 1; null beyond the first 10,000 places and in placement.',
    ),
    updatedAt: required(instant, 'Time of the last change.'),
  },
  'Standing',
  'Standing of a player in a rating.',
)

/** A board changes while it is read, so an offset would skip players or repeat them. */
const offset = plain(z.string().refine(() => false, 'is not possible here; use `cursor`'))

export const leaderboardQuery = queryOf({
  ...walking,
  offset: optional(offset, 'Refused: a leaderboard is read by cursor.'),
  season: optional(plain(z.string()), 'Name of a season; empty: before the first one; absent: the present one.'),
  around: optional(plain(z.string()), 'Player around whom the leaderboard is read: up to ten players on either side.'),
  placement: optional(flagInQuery, 'Whether the players in placement are listed, in place of the others.'),
})

const bucket = answerOf<CalibrationBucket>()({
  from: required(number, 'Smallest predicted probability of the bucket.'),
  to: required(number, 'Largest predicted probability of the bucket.'),
  count: required(whole, 'Number of teams.'),
  predicted: required(nullable(number), 'Mean of their predicted probabilities of winning; null without teams.'),
  actual: required(nullable(number), 'Share of them that won, a shared win counting in parts; null without teams.'),
})

export const calibration = answerOf<Calibration>()(
  {
    matches: required(whole, 'Number of rated matches.'),
    buckets: required(listOf(bucket), 'Ten buckets by predicted probability.'),
  },
  'Calibration',
  'Predicted and real outcomes of the rated matches.',
)
