import { DEFAULT_PAGE_LIMIT } from '../../catalog/limits'
import { calibrationCounter, ratedCounter } from '../../commit/counters'
import { unavailableInsteadOf } from '../../commit/transact'
import type { Ports } from '../../ports/ports'
import type { InProject } from '../../project/in-project'
import { CALIBRATION_BUCKETS, type Calibration, calibrationOf } from '../../rating/calibration'
import type { Rating } from '../../rating/rating'
import type { ShownStanding } from '../../rating/standing'
import { requireRating, standingsOf } from '../../reads/standings'
import { windowOf } from '../../reads/window'
import type { Page } from '../../shared/page'
import type { OnRating } from './set-rating'

export interface ListRatingsInput extends InProject {
  /** Maximum number of ratings on a page, 1 to 100. Default: 50. */
  readonly limit?: number | undefined
  /** Number of ratings before the page. Default: 0. */
  readonly offset?: number | undefined
}

export interface RatingsOfPlayerInput extends InProject {
  /** Id of the player. */
  readonly playerId: string
  /** Maximum number of standings on a page, 1 to 100. Default: 50. */
  readonly limit?: number | undefined
  /** Number of standings before the page. Default: 0. */
  readonly offset?: number | undefined
}

/** Returns a rating. Throws RATING_NOT_FOUND. */
export const getRating = (ctx: Ports, { projectId, ratingId }: OnRating): Promise<Rating> =>
  unavailableInsteadOf(() => requireRating(ctx, projectId, ratingId))

/** Returns a page of the ratings of a project, by rating id. */
export const listRatings = (ctx: Ports, { projectId, ...page }: ListRatingsInput): Promise<Page<Rating>> =>
  unavailableInsteadOf(() => ctx.storage.ratings.list(projectId, windowOf(page)))

/** Returns a page of a player's standings in the present seasons, by rating id; empty for a player without counted matches. */
export function ratingsOfPlayer(
  ctx: Ports,
  { projectId, playerId, limit = DEFAULT_PAGE_LIMIT, offset = 0 }: RatingsOfPlayerInput,
): Promise<Page<ShownStanding>> {
  return unavailableInsteadOf(async () => {
    const all = await standingsOf(ctx, projectId, playerId)
    return { total: all.length, data: all.slice(offset, offset + limit) }
  })
}

/** Returns how often the teams won to which the rating gave a probability. Throws RATING_NOT_FOUND. */
export function ratingCalibration(ctx: Ports, { projectId, ratingId }: OnRating): Promise<Calibration> {
  return unavailableInsteadOf(async () => {
    const { key } = await requireRating(ctx, projectId, ratingId)
    const read = (bucket: number, sum: string) => ctx.storage.counters.read(calibrationCounter(key, bucket, sum))
    const buckets = Array.from({ length: CALIBRATION_BUCKETS }, async (_, bucket) => ({
      count: await read(bucket, 'count'),
      predicted: await read(bucket, 'predicted'),
      actual: await read(bucket, 'actual'),
    }))
    // Waits for all reads together, so that the call receives the failure of each.
    const [matches, sums] = await Promise.all([ctx.storage.counters.read(ratedCounter(key)), Promise.all(buckets)])
    return calibrationOf(matches, sums)
  })
}
