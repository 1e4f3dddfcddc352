import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { Context } from '../../context/context'
import { isMade, isProposed } from '../../match/proposal'

/** Drops the row of a proposed match that was never made. */
export async function forgetProposal(ctx: Context, matchId: string): Promise<void> {
  await transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const match = await ctx.storage.get('match', matchId)
    if (match !== undefined && !isMade(match) && !isProposed(match)) draft.remove('match', match)
    return { draft, answer: null }
  })
}
