import { proposalOver } from '../../commit/consequences/proposal-over'
import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import { expiryOf, isProposalExpired, isProposed } from '../../match/proposal'
import type { Service } from '../../node/service'
import type { Instant } from '../../shared/time'

/**
 * Ends a proposed match that not all players answered in time. Does not change a proposal that has ended. Returns the time of the next
 * check.
 */
export async function expireProposal(ctx: Service, matchId: string): Promise<Instant | undefined> {
  return transact<Instant | undefined>(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const match = await ctx.storage.get('match', matchId)
    if (match === undefined || !isProposed(match)) return { draft, answer: undefined }
    if (!isProposalExpired(match, draft.at)) return { draft, answer: match.proposal?.expiresAt }
    await proposalOver(ctx, draft, match, expiryOf(match))
    return { draft, answer: undefined, isContended: true }
  })
}
