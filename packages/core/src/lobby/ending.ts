import type { LobbyEvent, QueueLeftReason } from './events'
import type { Ending } from './last-exit'

/** How these events bring a lobby back to `waiting`; undefined where they do not. */
export function endingOf(events: readonly LobbyEvent[]): Ending | undefined {
  for (const event of events) {
    if (event.type === 'queue_left') return { reason: event.reason, detail: leftQueue(event.reason) }
    if (event.type === 'game_ended' || event.type === 'launch_failed')
      return { reason: event.exit, detail: event.reason }
  }
  return undefined
}

function leftQueue(reason: QueueLeftReason): string {
  switch (reason) {
    case 'cancelled':
      return 'the host took the lobby out of matchmaking'
    case 'timeout':
      return 'no match was found within the time that the queue allows'
    case 'player_left':
      return 'a player left while the lobby was searching'
    case 'declined':
      return 'a player of the lobby declined the match that was proposed'
    case 'not_answered':
      return 'a player of the lobby did not answer in time to the match that was proposed'
    case 'unmatchable':
      return "the queue's matchmaking was changed, and this party can no longer be matched by it"
  }
}
