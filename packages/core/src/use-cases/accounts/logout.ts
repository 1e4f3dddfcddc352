import { liveSession } from '../../account/decide'
import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { CallOptions, Context } from '../../context/context'
import { ServiceError } from '../../errors/service-error'
import type { OfSession } from './refresh-session'

/** Ends the session; its token answers INVALID_SESSION_TOKEN from then on. Throws INVALID_SESSION_TOKEN, SESSION_EXPIRED. */
export function logout(ctx: Context, input: OfSession, call?: CallOptions): Promise<void> {
  return transact(ctx, call, async () => {
    const draft = new Draft(ctx.clock.now())
    const verdict = liveSession(await ctx.storage.get('session', input.sessionId), draft.at)
    if (!verdict.ok) throw ServiceError.of(verdict.rejected)
    draft.update('session', verdict.session, { ...verdict.session, ended: 'logged_out' })
    return { draft, answer: undefined }
  })
}
