import { lifeOf } from '../shared/transitions'
import type { MatchEvent } from './events'
import type { Match, MatchStatus } from './match'
import { erased, withoutLobby, withoutPlayer } from './roster'
import { MATCH_TRANSITIONS, type MatchTrigger } from './transitions'

const { canMove: canMoveMatch, moved } = lifeOf<MatchStatus, MatchTrigger>('match', MATCH_TRANSITIONS)

export { canMoveMatch }

/** The next state of a match: total and without judgement. */
export function evolveMatch(match: Match, event: MatchEvent): Match {
  switch (event.type) {
    case 'match_found':
      return event.match
    case 'match_started':
      return moved(match, 'begin')
    case 'match_assigned':
      return match.external === undefined
        ? match
        : { ...match, external: { ...match.external, assignment: event.assignment } }
    case 'match_player_left':
      return withoutPlayer(match, event.lobbyId, event.playerId, event.at)
    case 'match_player_erased':
      return erased(match, event.playerId)
    case 'match_lobby_left':
      return withoutLobby(match, event.lobbyId, event.at)
    case 'match_ended':
      return { ...moved(match, 'end'), endedAt: event.at }
  }
}

/** All events of one commit: one new version. */
export function evolveMatchAll(match: Match, events: readonly MatchEvent[]): Match {
  if (events.length === 0) return match
  return { ...events.reduce(evolveMatch, match), version: match.version + 1 }
}
