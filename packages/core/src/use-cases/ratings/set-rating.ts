import { MAX_RATINGS } from '../../catalog/limits'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { beforeFirstMatch, putRating } from '../../commit/rows/rating'
import { transact } from '../../commit/transact'
import { ServiceError, validationFailed } from '../../errors/service-error'
import type { Service } from '../../node/service'
import type { InProject } from '../../project/in-project'
import { changesScale, fixedScale } from '../../rating/decide'
import { newRating, type RatingWish, ratingFaults } from '../../rating/new-rating'
import { type Rating, ratingRowId } from '../../rating/rating'
import { accountOf, requireProject } from '../../reads/require'
import { requireFewer } from '../../reads/require-fewer'
import { requireRating } from '../../reads/standings'

const RATINGS = { limit: 'max_ratings', allowed: MAX_RATINGS, what: 'rating' }

export interface OnRating extends InProject {
  /** Id of the rating, by which queues name it: 1 to 64 characters of a-z, 0-9 and underscore. */
  readonly ratingId: string
}

export interface SetRatingInput extends OnRating, RatingWish {}

/**
 * Creates a rating, or replaces its settings. Throws VALIDATION_FAILED, also for another model or initial skill after a match was counted;
 * PLAN_LIMIT_EXCEEDED and PROJECT_NOT_FOUND.
 */
export function setRating(ctx: Service, input: SetRatingInput, call?: CallOptions): Promise<Rating> {
  const { projectId, ratingId } = input
  const set = async () => {
    const draft = new Draft(ctx.clock.now())
    const issues = ratingFaults(ratingId, input)
    if (issues.length > 0) throw validationFailed(issues)
    const project = await requireProject(ctx, projectId)
    const before = await ctx.storage.get('rating', ratingRowId(projectId, ratingId))
    if (before === undefined) {
      const account = await accountOf(ctx, project)
      await requireFewer(account, RATINGS, (page) => ctx.storage.ratings.list(projectId, page))
    }
    const after = newRating(before, input, { projectId, ratingId, at: draft.at })
    draft.check('project', project)
    const isFixed = before !== undefined && changesScale(before, after)
    if (isFixed) beforeFirstMatch(draft, before)
    return {
      draft,
      answer: putRating(draft, before, after),
      about: { id: ratingId },
      onConflict: ({ on }: { readonly on: string }) =>
        on === 'limit' && isFixed ? ServiceError.of(fixedScale(before, after).rejected) : undefined,
    }
  }
  return transact(ctx, call, set, () => requireRating(ctx, projectId, ratingId))
}
