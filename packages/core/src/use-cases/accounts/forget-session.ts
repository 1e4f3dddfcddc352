import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { Service } from '../../node/service'

/**
 * Deletes the row of an expired session. A token's own expiry is checked before the row, so the call is refused in the same way without the
 * row. Returns the time of the next check when the expiry is still to come.
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
