import type { Account } from '../../account/account'
import { sessionEpochOf } from '../../account/decide'
import { SESSION_LIFETIME_MS } from '../../account/session'
import type { CallOptions } from '../../commit/call-options'
import type { Draft } from '../../commit/draft'
import { followUps } from '../../commit/follow-ups'
import type { Ports } from '../../ports/ports'
import type { SessionClaims } from '../../ports/tokens'
import { accountOf, sessionNow } from '../../reads/require'
import { type AccountProfile, profileOf } from './account-profile'

/** Valid session with its token (specification, "Session"). */
export interface SessionGrant {
  /** Token that is sent as `authorization: Bearer …`: a JWT, valid for seven days or until it is refreshed or logged out. */
  readonly token: string
  /** Time at which the session expires. */
  readonly expiresAt: number
  /** Account of the session. */
  readonly account: AccountProfile
}

/**
 * Creates a session of an account. The commit of the draft also creates or checks the account. The claims may be stored, unlike the token,
 * which is signed again from the same claims.
 */
export function openSession(ctx: Ports, draft: Draft, account: Account, call: CallOptions | undefined): SessionClaims {
  const { id: accountId } = account
  const address = call?.from?.address.slice(0, MAX_ADDRESS_LENGTH)
  const session = draft.create('session', {
    id: ctx.ids.next('ses'),
    version: 1,
    accountId,
    sessionEpoch: sessionEpochOf(account),
    createdAt: draft.at,
    expiresAt: draft.at + SESSION_LIFETIME_MS,
    ended: null,
    ...(address === undefined ? {} : { address }),
  })
  draft.job(...followUps.sessionOpened(session))
  return { accountId, sessionId: session.id, issuedAt: draft.at, expiresAt: session.expiresAt }
}

/** Maximum characters of the network address of a session. The longest real address has 45 characters and a zone. */
const MAX_ADDRESS_LENGTH = 64

/** Whether the session that a repeated call would return has ended meanwhile. */
export async function hasEnded(ctx: Ports, { sessionId }: SessionClaims): Promise<boolean> {
  return !(await sessionNow(ctx, sessionId)).ok
}

export async function grantOf(ctx: Ports, claims: SessionClaims): Promise<SessionGrant> {
  const [token, account] = await Promise.all([ctx.tokens.issueSession(claims), accountOf(ctx, claims).then(profileOf)])
  return { token, expiresAt: claims.expiresAt, account }
}
