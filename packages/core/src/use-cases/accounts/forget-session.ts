import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { Service } from '../../node/service'

/**
 * Deletes the row of an expired session. No request needs the row any more, because a request with an expired token is refused before the
 * row is read. If the session has not expired yet, returns the time of the next check.
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
