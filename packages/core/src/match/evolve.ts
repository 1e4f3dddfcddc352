import { next } from '../shared/transitions'
import type { MatchEvent } from './events'
import type { Match, MatchStatus } from './match'
import { withoutLobby, withoutPlayer } from './roster'
import { MATCH_TRANSITIONS, type MatchTrigger } from './transitions'

/** The next state of a match: total and without judgement. */
export function evolveMatch(match: Match, event: MatchEvent): Match {
  switch (event.type) {
    case 'match_found':
      return event.match
    case 'match_started':
      return moved(match, 'begin')
    case 'match_player_left':
      return withoutPlayer(match, event.lobbyId, event.playerId, event.at)
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

export const canMoveMatch = (match: Match, trigger: MatchTrigger): boolean =>
  next<MatchStatus>(MATCH_TRANSITIONS, match.status, trigger) !== undefined

/** A missing row is a bug: deciders ask `canMoveMatch` first. */
function moved(match: Match, trigger: MatchTrigger): Match {
  const to = next<MatchStatus>(MATCH_TRANSITIONS, match.status, trigger)
  if (to === undefined || to === null) throw new Error(`a match that is ${match.status} cannot ${trigger}`)
  return { ...match, status: to }
}
