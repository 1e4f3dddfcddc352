import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { Service } from '../../node/service'

/**
 * A session whose token has run out answers the same with its row and without: the token's own time is asked first. Answers when to
 * look again where that is still to come.
 */
export function forgetSession(ctx: Service, sessionId: string): Promise<number | undefined> {
  return transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const session = await ctx.storage.get('session', sessionId)
    if (session === undefined) return { draft, answer: undefined }
    if (session.expiresAt > draft.at) return { draft, answer: session.expiresAt }
    return { draft: draft.remove('session', session), answer: undefined }
  })
}
