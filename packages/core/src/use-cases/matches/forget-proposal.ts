import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import { isMade, isProposed } from '../../match/proposal'
import type { Service } from '../../node/service'

/** Removes the row of a proposed match that was never made. */
export async function forgetProposal(ctx: Service, matchId: string): Promise<void> {
  await transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const match = await ctx.storage.get('match', matchId)
    if (match !== undefined && !isMade(match) && !isProposed(match)) draft.remove('match', match)
    return { draft, answer: null }
  })
}
