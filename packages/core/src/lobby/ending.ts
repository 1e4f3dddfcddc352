import type { LobbyEvent, QueueLeftReason } from './events'
import type { Ending } from './last-exit'

const LEFT_QUEUE: Readonly<Record<QueueLeftReason, string>> = {
  cancelled: 'the host took the lobby out of matchmaking',
  timeout: 'no match was found within the time that the queue allows',
  player_left: 'a player left while the lobby was searching',
  declined: 'a player of the lobby declined the match that was proposed',
  not_answered: 'a player of the lobby did not answer in time to the match that was proposed',
  unmatchable: "the queue's matchmaking was changed, and this party can no longer be matched by it",
}

/** Returns how these events return a lobby to `waiting`; undefined when they do not. */
export function endingOf(events: readonly LobbyEvent[]): Ending | undefined {
  for (const event of events) {
    if (event.type === 'queue_left') return { reason: event.reason, detail: LEFT_QUEUE[event.reason] }
    if (event.type === 'game_ended' || event.type === 'launch_failed')
      return { reason: event.exit, detail: event.reason }
  }
  return undefined
}
