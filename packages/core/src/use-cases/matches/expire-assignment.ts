import { matchOver } from '../../commit/consequences/match-over'
import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import { spokenCall } from '../../errors/spoken-names'
import { awaitsAssignment } from '../../match/decide'
import type { Service } from '../../node/service'
import { SECOND_MS } from '../../shared/time'

/**
 * Ends a match to which the studio's backend assigned no server in time; the lobbies of the match return to `waiting`. When the deadline
 * has not passed yet, returns the time of the next check.
 */
export function expireAssignment(ctx: Service, matchId: string): Promise<number | undefined> {
  return transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const match = await ctx.storage.get('match', matchId)
    if (match?.external === undefined || !awaitsAssignment(match)) return { draft, answer: undefined }
    if (match.external.assignBy > draft.at) return { draft, answer: match.external.assignBy }
    const seconds = Math.round((match.external.assignBy - match.createdAt) / SECOND_MS)
    const detail = `no server was assigned to the match within ${seconds} s (${spokenCall('matches.assign')})`
    await matchOver(ctx, draft, match, { reason: 'no_room', detail })
    return { draft, answer: undefined }
  })
}
