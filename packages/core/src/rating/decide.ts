import { MAX_SEASONS, SEASON_KEEP } from '../catalog/limits'
import { nameFault } from '../catalog/names'
import { accept, type Decision, reject, rejectInvalid, type ValidationIssue } from '../errors/decision'
import { spokenCall } from '../errors/spoken-names'
import { numberIn } from './new-rating'
import type { Rating, Season } from './rating'

/** Rejects with RATING_NOT_FOUND a call about a rating that the project does not have. */
export const noSuchRating = (projectId: string, ratingId: string) =>
  reject(
    'RATING_NOT_FOUND',
    `project ${projectId} has no rating ${JSON.stringify(ratingId)}; a backend creates one with ${spokenCall('ratings.set')}`,
  )

/** Rejects with RATING_IN_USE the deletion of a rating that a queue names. */
export const ratingInUse = ({ ratingId }: Pick<Rating, 'ratingId'>) =>
  reject('RATING_IN_USE', `a queue has the rating ${ratingId}; set its rating to null, or delete the queue, first`)

/** Whether the change is possible only before the first counted match. */
export const changesScale = (before: Rating | undefined, after: Rating): boolean =>
  before !== undefined && scaleFaults(before, after).length > 0

/** Rejects with VALIDATION_FAILED a change of the model or the initial skill after a match was counted. */
export const fixedScale = (before: Rating, after: Rating) => rejectInvalid(scaleFaults(before, after))

const FIXED = 'cannot change after a match was counted; create another rating'

function scaleFaults(before: Rating, after: Rating): ValidationIssue[] {
  const { mu, sigma } = after.initial
  return [
    ...(before.model === after.model ? [] : [{ path: 'model', message: FIXED }]),
    ...(before.initial.mu === mu && before.initial.sigma === sigma ? [] : [{ path: 'initial', message: FIXED }]),
  ]
}

/** Rejects with VALIDATION_FAILED a season with invalid values, with the name of an earlier season, or beyond the maximum number. */
export function mayStartSeason({ seasons }: Rating, { name, keep }: Pick<Season, 'name' | 'keep'>): Decision<never> {
  const named = typeof name === 'string' ? nameFault(name) : 'must be a text'
  const taken = seasons.some((season) => season.name === name) ? 'is the name of an earlier season' : undefined
  const full = seasons.length >= MAX_SEASONS ? `a rating has at most ${MAX_SEASONS} seasons` : undefined
  const faults: readonly (readonly [string, string | undefined])[] = [
    ['name', named ?? taken ?? full],
    ['keep', numberIn(keep, SEASON_KEEP)],
  ]
  const issues = faults.flatMap(([path, message]) => (message === undefined ? [] : [{ path, message }]))
  return issues.length === 0 ? accept() : rejectInvalid(issues)
}
