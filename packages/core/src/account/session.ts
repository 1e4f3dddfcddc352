import type { Instant } from '../shared/time'

/** Lifetime of a session: 7 days (specification, "Session"). */
export const SESSION_LIFETIME_MS = 7 * 24 * 3_600 * 1_000

/** Session that a login opened, or a refresh of an earlier session. The stored session decides whether its token is valid. */
export interface Session {
  readonly id: string
  readonly version: number
  readonly accountId: string
  /** `sessionEpoch` of the account when the session was opened; absent in sessions that were stored before this field existed. */
  readonly sessionEpoch?: number | undefined
  readonly createdAt: Instant
  readonly expiresAt: Instant
  /** Reason why the token became invalid before it expired; null while it is valid. */
  readonly ended: 'refreshed' | 'logged_out' | null
}
