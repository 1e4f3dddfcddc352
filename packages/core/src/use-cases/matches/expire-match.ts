import { matchOver } from '../../commit/consequences/match-over'
import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import { spokenField } from '../../errors/spoken-names'
import type { Service } from '../../node/service'
import { SECOND_MS } from '../../shared/time'

/** Ends a match whose maximum time is over. When it is not over yet, returns the time of the next check; otherwise undefined. */
export function expireMatch(ctx: Service, matchId: string): Promise<number | undefined> {
  return transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const match = await ctx.storage.get('match', matchId)
    if (match?.ttlSeconds === undefined || match.startedAt === undefined) return { draft, answer: undefined }
    const expiresAt = match.startedAt + match.ttlSeconds * SECOND_MS
    if (match.endedAt === null && expiresAt > draft.at) return { draft, answer: expiresAt }
    const detail = `nobody ended the match within ${match.ttlSeconds} s (${spokenField('matchTtlSeconds')} of its queue)`
    await matchOver(ctx, draft, match, { reason: 'match_expired', detail })
    return { draft, answer: undefined }
  })
}
