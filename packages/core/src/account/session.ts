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
  readonly ended: 'refreshed' | 'logged_out' | 'ended_by_account' | null
  /**
   * Network address, or IPv6 network, from which the session was opened or refreshed. Absent when it is not known, and in sessions that were
   * stored before this field existed.
   */
  readonly address?: string | undefined
}

/**
 * Returns the key of the list in which a session is until it ends: the account and its `sessionEpoch`. Null for a session that ended. The
 * sessions of an earlier epoch are invalid, so they are in another list.
 */
export const openSessionsKey = ({ accountId, sessionEpoch = 0, ended }: Session): string | null =>
  ended === null ? sessionsKey(accountId, sessionEpoch) : null

/** Returns the key of the list with the open sessions of an account. */
export const sessionsKey = (accountId: string, sessionEpoch: number): string => `${accountId}/${sessionEpoch}`
