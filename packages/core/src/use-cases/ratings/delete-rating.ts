import type { CallOptions } from '../../commit/call-options'
import { ratingQueueCounter } from '../../commit/counters'
import { Draft } from '../../commit/draft'
import { removeRating } from '../../commit/rows/rating'
import { transact } from '../../commit/transact'
import { ServiceError } from '../../errors/service-error'
import type { Service } from '../../node/service'
import { ratingInUse } from '../../rating/decide'
import { requireRating } from '../../reads/standings'
import type { OnRating } from './set-rating'

/** Deletes a rating with all its standings. Throws RATING_NOT_FOUND, and RATING_IN_USE while a queue names it. */
export async function deleteRating(ctx: Service, { projectId, ratingId }: OnRating, call?: CallOptions): Promise<void> {
  await transact(ctx, call, async () => {
    const rating = await requireRating(ctx, projectId, ratingId)
    const inUse = ServiceError.of(ratingInUse(rating).rejected)
    if ((await ctx.storage.counters.read(ratingQueueCounter(rating.id))) > 0) throw inUse
    const draft = new Draft(ctx.clock.now())
    removeRating(draft, rating)
    // The commit checks the counter again. A queue that names the rating meanwhile checks the version of the rating.
    return { draft, answer: null, onConflict: ({ on }) => (on === 'limit' ? inUse : undefined) }
  })
}
