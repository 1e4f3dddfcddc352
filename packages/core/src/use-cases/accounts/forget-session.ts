import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { Context } from '../../context/context'

/** A session whose token has run out answers the same with its row and without: the token's own time is asked first. */
export async function forgetSession(ctx: Context, sessionId: string): Promise<void> {
  await transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const session = await ctx.storage.get('session', sessionId)
    if (session !== undefined && session.expiresAt <= draft.at) draft.remove('session', session)
    return { draft, answer: null }
  })
}
