import { asksByItself, queueOf, seatingOf } from '../../commit/consequences/open-seats'
import { Draft } from '../../commit/draft'
import { writeMatch } from '../../commit/rows/match'
import { transact } from '../../commit/transact'
import { decideExpireBackfill as decideExpiry } from '../../match/backfill'
import type { Service } from '../../node/service'
import type { Instant } from '../../shared/time'

/**
 * Ends a backfill request whose time is over, or renews it when its queue has automatic backfill. When its time is not over yet, returns
 * the time of the next check.
 */
export async function expireBackfill(ctx: Service, matchId: string): Promise<Instant | undefined> {
  return transact<Instant | undefined>(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const match = await ctx.storage.get('match', matchId)
    if (match?.backfill === undefined) return { draft, answer: undefined }
    const queue = await queueOf(ctx, match)
    const renews = queue !== undefined && asksByItself(queue)
    const events = decideExpiry(match, draft.at, renews ? seatingOf(ctx, match, queue, draft.at) : undefined)
    const after = writeMatch(draft, match, events)
    // A renewed request has scheduled this job again. A replaced request has another deadline, at which this job runs again.
    return { draft, answer: events.length === 0 ? after.backfill?.expiresAt : undefined }
  })
}
