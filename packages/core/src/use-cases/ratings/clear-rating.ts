import { Draft } from '../../commit/draft'
import { removeStandings } from '../../commit/rows/standing'
import { transact } from '../../commit/transact'
import type { Service } from '../../node/service'

/** Maximum number of standings that one run removes. */
const PAGE = 100

/** Removes standings of a deleted rating. Returns the time of the next run while there are more. */
export function clearRating(ctx: Service, ratingKey: string): Promise<number | undefined> {
  return transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const standings = await ctx.storage.standings.ofRating(ratingKey, PAGE)
    removeStandings(draft, standings)
    return { draft, answer: standings.length === 0 ? undefined : ctx.clock.now() }
  })
}
