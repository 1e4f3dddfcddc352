import { accept, type Decision, type Rejection, reject } from '../errors/decision'
import type { Instant } from '../shared/time'
import type { Account } from './account'
import type { AccountEvent, SessionEnded } from './events'
import type { Session } from './session'

export type SessionVerdict =
  | { readonly ok: true; readonly session: Session }
  | { readonly ok: false; readonly rejected: Rejection }

/** Returns the session if it is valid at this instant. Rejects with SESSION_EXPIRED, INVALID_SESSION_TOKEN. */
export function liveSession(session: Session | undefined, at: Instant, account?: Account): SessionVerdict {
  if (session === undefined) return invalid('no session has this token; log in again')
  if (session.ended !== null) return invalid(DEAD[session.ended])
  if (session.expiresAt <= at) return reject('SESSION_EXPIRED', 'this session has expired; log in again')
  if (account !== undefined && isDisabled(account))
    return invalid('the account is disabled; ask the operator of this installation')
  if (account !== undefined && isOfAnotherEpoch(session, account)) {
    return invalid('the operator of this installation ended this session; log in again')
  }
  return { ok: true, session }
}

/** Whether an operator ended the account's sessions after this session was opened. */
function isOfAnotherEpoch(session: Session, account: Account): boolean {
  if ((session.sessionEpoch ?? 0) !== sessionEpochOf(account)) return true
  return (
    session.sessionEpoch === undefined && session.createdAt <= (account.sessionsEndedAt ?? Number.NEGATIVE_INFINITY)
  )
}

export const sessionEpochOf = ({ sessionEpoch = 0 }: Account): number => sessionEpoch

/** Whether the account is disabled: its sessions and keys are refused, and its owner cannot log in. */
export const isDisabled = ({ disabledAt = null }: Account): boolean => disabledAt !== null

/** Decides whether the account may upload an archive for one of its builds. Rejects with UPLOAD_REJECTED when the account is disabled. */
export const takesUploads = (account: Account): Decision<never> =>
  isDisabled(account)
    ? reject('UPLOAD_REJECTED', 'the account of the build is disabled; ask the operator of this installation')
    : accept()

/**
 * Disables an account. Its sessions end permanently; its keys are refused until the account is enabled again. A repeated call changes
 * nothing.
 */
export const decideDisableAccount = (account: Account, { at }: { readonly at: Instant }): Decision<AccountEvent> =>
  isDisabled(account) ? accept() : accept({ type: 'account_disabled', at })

export const decideEnableAccount = (account: Account): Decision<AccountEvent> =>
  isDisabled(account) ? accept({ type: 'account_enabled' }) : accept()

/** Uses a sign-in code. A code works once, but the same request may use it again when it is repeated. Rejects with INVALID_LOGIN. */
export function decideUseSignInCode(
  { signInCode }: Account,
  { hash, by, at }: { readonly hash: string; readonly by: string | null; readonly at: Instant },
): Decision<AccountEvent> {
  const wrong = reject('INVALID_LOGIN', 'this code was used, has expired, or was never issued')
  if (!signInCode || signInCode.hash !== hash || signInCode.expiresAt <= at) return wrong
  if (signInCode.usedBy === undefined) return accept({ type: 'sign_in_code_used', by })
  return by !== null && signInCode.usedBy === by ? accept() : wrong
}

/** Ends a session for its account. A session that ended already stays as it is. Rejects with SESSION_NOT_FOUND. */
export function decideEndSession(session: Session, accountId: string): Decision<SessionEnded> {
  if (session.accountId !== accountId) return noSuchSession(session.id)
  return session.ended === null ? accept({ type: 'session_ended', ended: 'ended_by_account' }) : accept()
}

/** Refuses a session that does not exist. A session of another account gets the same refusal. */
export const noSuchSession = (sessionId: string) =>
  reject('SESSION_NOT_FOUND', `the account has no session ${JSON.stringify(sessionId)}`)

const invalid = (detail: string) => reject('INVALID_SESSION_TOKEN', detail)

const DEAD: Readonly<Record<NonNullable<Session['ended']>, string>> = {
  refreshed: 'this token was replaced by a refresh; use the token that the refresh returned',
  logged_out: 'this session was logged out; log in again',
  ended_by_account: 'this session was ended in the list of sessions of its account; log in again',
}
