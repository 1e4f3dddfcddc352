import type { Instant } from '../shared/time'

/** Lifetime of a session: 7 days (specification, "Session"). */
export const SESSION_LIFETIME_MS = 7 * 24 * 3_600 * 1_000

/** Session that a login opened, or a refresh of an earlier session. The stored session decides whether its token is valid. */
export interface Session {
  /** Id of the session: `ses_` and a ULID. The session's token contains it. */
  readonly id: string
  /** Version, which grows by one with each change. */
  readonly version: number
  /** Account of the session. */
  readonly accountId: string
  /** `sessionEpoch` of the account when the session was opened; absent in sessions that were stored before this field existed. */
  readonly sessionEpoch?: number | undefined
  /** Time at which the session was opened or refreshed. */
  readonly createdAt: Instant
  /** Time from which the session's token is refused, 7 days after `createdAt`. */
  readonly expiresAt: Instant
  /** Reason why the token became invalid before it expired; null while it is valid. */
  readonly ended: 'refreshed' | 'logged_out' | null
}
