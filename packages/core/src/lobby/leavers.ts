import type { LobbyEvent } from './events'

/**
 * Returns the players who leave a match by these events of their lobby: they left or fell silent, or deleted the lobby. Players who were
 * kicked or are excused are not among them.
 */
export const leaversOf = (events: readonly LobbyEvent[]): readonly string[] =>
  events.flatMap((event) => {
    if (event.type === 'player_left') return event.reason === 'kicked' || event.excused === true ? [] : [event.playerId]
    return event.type === 'lobby_deleted' && event.by !== undefined ? [event.by] : []
  })
