import type { ServerEvent } from './events'
import type { GameServer } from './game-server'

/** Cause of a server's end, as the players read it in the `last_exit` of their lobbies. */
export type EndCause =
  | 'launch_failed'
  | 'build_missing'
  | 'no_room'
  | 'match_ended'
  | 'server_stopped'
  | 'server_failed'
  | 'server_expired'

/** Returns the cause of a server's end in these events. `before` is the server before the events. */
export function endCauseOf(before: GameServer, events: readonly ServerEvent[]): EndCause {
  for (const event of events) {
    if (event.type === 'server_stopping') return event.cause
    // The process of the server ended normally, so the match is over.
    if (event.type === 'server_stopped') return 'match_ended'
    if (event.type === 'server_failed')
      return event.cause ?? (before.status === 'launching' ? 'launch_failed' : 'server_failed')
  }
  return 'server_failed'
}
