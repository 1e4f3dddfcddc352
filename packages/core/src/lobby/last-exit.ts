import type { Instant } from '../shared/time'

/**
 * Reasons why a lobby returned to `waiting` (docs/http-api.md §6). Stored figures use the index in this list, so new reasons are added at
 * the end. `declined` and `not_answered` are outcomes of a ready check.
 */
export const EXIT_REASONS = [
  'cancelled',
  'timeout',
  'player_left',
  'declined',
  'not_answered',
  'unmatchable',
  'launch_failed',
  'no_room',
  'build_missing',
  'match_ended',
  'server_stopped',
  'server_failed',
  'server_expired',
  'backend_ended',
  'matched_elsewhere',
  'banned',
  'match_expired',
] as const
/** Reason for which a lobby returned to `waiting`, or a match ended; one of `EXIT_REASONS`. */
export type ExitReason = (typeof EXIT_REASONS)[number]

/** End of a stay in the queue, or of a match: the reason, and a sentence for a developer. */
export interface Ending {
  /** Reason, for programs. */
  readonly reason: ExitReason
  /** Explanation for a developer. The wording may change. */
  readonly detail: string
}

/** Last return of a lobby to `waiting`: the reason, a sentence for a developer, and the instant. */
export interface LobbyExit extends Ending {
  /** Time of the exit. */
  readonly at: Instant
  /** Whether the service is about to put the lobby back into its queue, after a failed launch; absent when it is not. */
  readonly willRequeue?: true
}
