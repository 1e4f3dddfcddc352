import { proposalOver } from '../../commit/consequences/proposal-over'
import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import { expiryOf, isProposalExpired, isProposed } from '../../match/proposal'
import type { Service } from '../../node/service'
import type { Instant } from '../../shared/time'

/** A proposed match to which not everybody answered in time is not made. One that is settled is let be. Answers when to look again. */
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
