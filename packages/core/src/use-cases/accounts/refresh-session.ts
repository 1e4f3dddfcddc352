import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { transact, unavailableInsteadOf } from '../../commit/transact'
import { ServiceError } from '../../errors/service-error'
import type { Service } from '../../node/service'
import { accountRow, sessionNow } from '../../reads/require'
import { grantOf, hasEnded, openSession, type SessionGrant } from './session-grant'

/** Input of a call about one session. */
export interface OfSession {
  /** Id of the session: `ses_` and a ULID. */
  readonly sessionId: string
}

export async function refreshSession(ctx: Service, input: OfSession, call?: CallOptions): Promise<SessionGrant> {
  const claims = await transact(ctx, call, async () => {
    const draft = new Draft(ctx.clock.now())
    const verdict = await sessionNow(ctx, input.sessionId)
    if (!verdict.ok) throw ServiceError.of(verdict.rejected)
    const account = verdict.account ?? (await accountRow(ctx, verdict.session.accountId))
    draft.check('account', account)
    draft.update('session', verdict.session, { ...verdict.session, ended: 'refreshed' })
    return { draft, answer: openSession(ctx, draft, account, call) }
  })
  return unavailableInsteadOf(async () => {
    if (call?.idempotency !== undefined && (await hasEnded(ctx, claims))) {
      throw new ServiceError('INVALID_SESSION_TOKEN', 'the session that this refresh returned has ended; log in again')
    }
    return grantOf(ctx, claims)
  })
}
