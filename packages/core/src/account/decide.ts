import { type Rejection, reject } from '../errors/decision'
import type { Instant } from '../shared/time'
import type { Session } from './session'

type Verdict = { readonly ok: true; readonly session: Session } | { readonly ok: false; readonly rejected: Rejection }

/** Whether a session's token is good now. Rejects with SESSION_EXPIRED, INVALID_SESSION_TOKEN. */
export function liveSession(session: Session | undefined, at: Instant): Verdict {
  if (session === undefined) return reject('INVALID_SESSION_TOKEN', 'this session is not known here; log in again')
  if (session.ended !== null) return reject('INVALID_SESSION_TOKEN', DEAD[session.ended])
  if (session.expiresAt <= at) return reject('SESSION_EXPIRED', 'this session has run out; log in again')
  return { ok: true, session }
}

const DEAD: Readonly<Record<NonNullable<Session['ended']>, string>> = {
  refreshed: 'this token was replaced by a refresh; use the one that the refresh answered',
  logged_out: 'this session was logged out; log in again',
}
