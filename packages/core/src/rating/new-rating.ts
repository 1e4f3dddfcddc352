import { INITIAL_MU, PLACEMENT_MATCHES, QUEUE_ID_PATTERN, RATING_NUMBER, RATING_POINTS } from '../catalog/limits'
import { nameFault } from '../catalog/names'
import type { ValidationIssue } from '../errors/decision'
import { unknownFields } from '../shared/known-names'
import type { Instant } from '../shared/time'
import {
  newRatingKey,
  RATING_DEFAULTS,
  RATING_MODELS,
  type Rating,
  type RatingDisplay,
  type RatingModel,
  type RatingParams,
  type RatingSettings,
  ratingRowId,
  type Skill,
} from './rating'

/** Settings of a rating, as a backend sends them. An absent setting gets its default. */
export interface RatingWish {
  /** Display name, 1 to 128 characters. */
  readonly name: string
  /** Model of the library `openskill`. Default: `plackettLuce`. */
  readonly model?: RatingModel | undefined
  /** Parameters of the model. Default of each: as the library `openskill` has it. */
  readonly params?: Partial<RatingParams> | undefined
  /** Skill of a player without matches. Default: `mu` 25, `sigma` 8.333. */
  readonly initial?: Partial<Skill> | undefined
  /** How the displayed number follows from a skill. */
  readonly display?: Partial<RatingDisplay> | undefined
  /** Number of matches after which a player is listed in the leaderboard, 0 to 100. Default: 5. */
  readonly placementMatches?: number | undefined
}

interface Given {
  readonly projectId: string
  readonly ratingId: string
  readonly at: Instant
}

/** Returns the rating that replaces `before`; its seasons and standings stay. */
export function newRating(before: Rating | undefined, wish: RatingWish, { projectId, ratingId, at }: Given): Rating {
  const id = ratingRowId(projectId, ratingId)
  const createdAt = before?.createdAt ?? at
  return {
    ...{ id, version: (before?.version ?? 0) + 1, projectId, ratingId },
    key: before?.key ?? newRatingKey({ id, createdAt }),
    ...settingsOf(wish),
    seasons: before?.seasons ?? [],
    createdAt,
    updatedAt: at,
  }
}

const settingsOf = ({ name, model, params, initial, display, placementMatches }: RatingWish): RatingSettings => ({
  name,
  model: model ?? RATING_DEFAULTS.model,
  params: { ...RATING_DEFAULTS.params, ...given(params) },
  initial: { ...RATING_DEFAULTS.initial, ...given(initial) },
  display: { ...RATING_DEFAULTS.display, ...given(display) },
  placementMatches: placementMatches ?? RATING_DEFAULTS.placementMatches,
})

/** Returns the fields whose values are not undefined. */
const given = <T extends object>(part: T | undefined): Partial<T> =>
  Object.fromEntries(Object.entries(part ?? {}).filter(([, value]) => value !== undefined)) as Partial<T>

/** Returns the faults of a rating's settings; the types of the values are checked too. */
export function ratingFaults(ratingId: string, wish: RatingWish): ValidationIssue[] {
  const { name, model, params, initial, display, placementMatches } = settingsOf(wish)
  const { limitSigma } = params
  const checks: readonly (readonly [path: string, message: string | undefined])[] = [
    ['ratingId', QUEUE_ID_PATTERN.test(ratingId) ? undefined : `must match ${QUEUE_ID_PATTERN.source}`],
    ['name', typeof name === 'string' ? nameFault(name) : 'must be a text'],
    ['model', RATING_MODELS.includes(model) ? undefined : `must be one of ${RATING_MODELS.join(', ')}`],
    ['params.beta', numberIn(params.beta, RATING_NUMBER)],
    ['params.tau', numberIn(params.tau, { ...RATING_NUMBER, min: 0 })],
    ['params.limitSigma', typeof limitSigma === 'boolean' ? undefined : 'must be true or false'],
    ['initial.mu', numberIn(initial.mu, INITIAL_MU)],
    ['initial.sigma', numberIn(initial.sigma, RATING_NUMBER)],
    ['display.base', numberIn(display.base, RATING_POINTS)],
    ['display.perSigma', numberIn(display.perSigma, { ...RATING_POINTS, min: 1 })],
    ['placementMatches', wholeIn(placementMatches)],
  ]
  return [
    ...checks.flatMap(([path, message]) => (message === undefined ? [] : [{ path, message }])),
    ...unknownFields(wish.params, Object.keys(RATING_DEFAULTS.params), 'params.'),
    ...unknownFields(wish.initial, Object.keys(RATING_DEFAULTS.initial), 'initial.'),
    ...unknownFields(wish.display, Object.keys(RATING_DEFAULTS.display), 'display.'),
  ]
}

export const numberIn = (value: unknown, { min, max }: { readonly min: number; readonly max: number }) =>
  typeof value === 'number' && value >= min && value <= max ? undefined : `must be a number from ${min} to ${max}`

const wholeIn = (value: number) =>
  Number.isInteger(value) && value >= PLACEMENT_MATCHES.min && value <= PLACEMENT_MATCHES.max
    ? undefined
    : `must be a whole number from ${PLACEMENT_MATCHES.min} to ${PLACEMENT_MATCHES.max}`
