import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import { ServiceError } from '../../errors/service-error'
import type { Service } from '../../node/service'
import { sessionNow } from '../../reads/require'
import type { OfSession } from './refresh-session'

export function logout(ctx: Service, input: OfSession, call?: CallOptions): Promise<void> {
  return transact(ctx, call, async () => {
    const draft = new Draft(ctx.clock.now())
    const verdict = await sessionNow(ctx, input.sessionId)
    if (!verdict.ok) throw ServiceError.of(verdict.rejected)
    draft.update('session', verdict.session, { ...verdict.session, ended: 'logged_out' })
    return { draft, answer: undefined }
  })
}
