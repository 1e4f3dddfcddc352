import type { Caller } from '../../access/caller'
import { unavailableInsteadOf } from '../../commit/transact'
import { ServiceError } from '../../errors/service-error'
import type { Ports } from '../../ports/ports'
import { grantsOf } from '../../reads/members'
import { sessionNow } from '../../reads/require'

/** Caller with a session. */
export type SessionCaller = Extract<Caller, { kind: 'session' }>

/**
 * Returns the caller of a session token. Every call reads the rows of the session and its account, to find out whether the session is still
 * valid, and the grants of the account. Throws INVALID_SESSION_TOKEN, SESSION_EXPIRED.
 */
export function authenticateSession(ctx: Ports, token: string): Promise<SessionCaller> {
  return unavailableInsteadOf(async () => {
    const claims = await ctx.tokens.readSession(token)
    if (claims === undefined) {
      throw new ServiceError('INVALID_SESSION_TOKEN', 'this is not a session token of this installation; log in again')
    }
    if (claims.expiresAt <= ctx.clock.now()) {
      throw new ServiceError('SESSION_EXPIRED', 'this session has expired; log in again')
    }
    const verdict = await sessionNow(ctx, claims.sessionId)
    if (!verdict.ok) throw ServiceError.of(verdict.rejected)
    const { id: sessionId, accountId } = verdict.session
    return { kind: 'session', sessionId, accountId, grants: await grantsOf(ctx, accountId) }
  })
}
