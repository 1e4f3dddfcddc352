import type { ServerEvent } from './events'
import type { GameServer } from './game-server'

/** Cause of a server's end, as its players read it in the `last_exit` of their lobbies. */
export type EndCause =
  | 'launch_failed'
  | 'build_missing'
  | 'no_room'
  | 'match_ended'
  | 'server_stopped'
  | 'server_failed'
  | 'server_expired'

/** Returns the cause of a server's end in these events, given its earlier state. */
export function endCauseOf(before: GameServer, events: readonly ServerEvent[]): EndCause {
  for (const event of events) {
    if (event.type === 'server_stopping') return event.cause
    // The server ended by itself, so the match is over.
    if (event.type === 'server_stopped') return 'match_ended'
    if (event.type === 'server_failed')
      return event.cause ?? (before.status === 'launching' ? 'launch_failed' : 'server_failed')
  }
  return 'server_failed'
}
