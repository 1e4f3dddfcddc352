import type { Instant } from '../shared/time'

/** A session lives 7 days (specification, "Session"). */
export const SESSION_LIFETIME_MS = 7 * 24 * 3_600 * 1_000

/** One link of a login chain; the row decides whether its token is live. */
export interface Session {
  readonly id: string
  readonly version: number
  readonly accountId: string
  /** The account's count when it was opened; absent in sessions from before there was one. */
  readonly sessionEpoch?: number | undefined
  readonly createdAt: Instant
  readonly expiresAt: Instant
  /** Why the token is dead though it has not expired. */
  readonly ended: 'refreshed' | 'logged_out' | null
}
