import type { LobbyEvent, QueueLeftReason } from './events'
import type { LobbyExit } from './last-exit'

const LEFT_QUEUE: Readonly<Record<QueueLeftReason, string>> = {
  cancelled: 'the host took the lobby out of matchmaking',
  timeout: 'no match was found within the time that the queue allows',
  player_left: 'a player left the lobby while it was in the queue',
  declined: 'a player of the lobby declined the proposed match',
  not_answered: 'a player of the lobby did not answer to the proposed match in time',
  unmatchable: 'the matchmaking settings of the queue changed, and no longer allow a match for this lobby',
  matched_elsewhere: 'a player of the lobby was matched in another search',
  banned: 'a player of the lobby was banned from the project or from the queue',
}

/** Returns the reason and the sentence with which these events return a lobby to `waiting`; undefined when they do not return it. */
export function endingOf(events: readonly LobbyEvent[]): Omit<LobbyExit, 'at'> | undefined {
  for (const event of events) {
    if (event.type === 'queue_left') return { reason: event.reason, detail: LEFT_QUEUE[event.reason] }
    if (event.type === 'game_ended') return { reason: event.exit, detail: event.reason }
    if (event.type === 'launch_failed') {
      return { reason: event.exit, detail: event.reason, ...(event.requeue ? { willRequeue: true } : {}) }
    }
  }
  return undefined
}
