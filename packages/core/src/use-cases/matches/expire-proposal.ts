import { proposalOver } from '../../commit/consequences/proposal-over'
import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { Context } from '../../context/context'
import { isExpired, silentIn } from '../../match/proposal'

/** A proposed match to which not everybody answered in time is not made. One that is settled, or not due, is let be. */
export async function expireProposal(ctx: Context, matchId: string): Promise<void> {
  await transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const match = await ctx.storage.get('match', matchId)
    if (match === undefined || !isExpired(match, draft.at)) return { draft, answer: null }
    const blamed = silentIn(match).map(({ playerId }) => playerId)
    const reason = `${blamed.length} of its players did not answer in time`
    await proposalOver(ctx, draft, match, { outcome: 'expired', reason, blamed })
    return { draft, answer: null, isContended: true }
  })
}
