import { Draft } from '../../commit/draft'
import { writeMatch } from '../../commit/rows/match'
import { transact } from '../../commit/transact'
import { decideExpireSeats, nextExpiryOf } from '../../match/kept-seats'
import type { Service } from '../../node/service'
import type { Instant } from '../../shared/time'

/** Frees the kept seats whose time is over. Returns the time at which the next kept seat of the match expires, if any. */
export const expireSeats = (ctx: Service, matchId: string): Promise<Instant | undefined> =>
  transact<Instant | undefined>(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const match = await ctx.storage.get('match', matchId)
    if (match === undefined) return { draft, answer: undefined }
    return { draft, answer: nextExpiryOf(writeMatch(draft, match, decideExpireSeats(match, draft.at))) }
  })
