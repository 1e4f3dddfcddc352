import { lifeOf } from '../shared/transitions'
import type { MatchEvent } from './events'
import type { Match, MatchBuild, MatchStatus, ProposalOutcome } from './match'
import { asksForNobody, seatTaken, shrunk, withoutRequest, withoutSeatsOf, withRequestedSeats } from './requested-seats'
import { erased, withAnswers, withNewcomers, withoutLobby, withPlayerGone, withStates } from './roster'
import { withSeats } from './seats'
import { MATCH_TRANSITIONS, type MatchTrigger } from './transitions'

const { canMove: canMoveMatch, moved } = lifeOf<MatchStatus, MatchTrigger>('match', MATCH_TRANSITIONS)

export { canMoveMatch }

/** Returns the state of a match after an event. Accepts every event and checks nothing. */
export const evolveMatch = (match: Match, event: MatchEvent): Match => withRequestedSeats(applied(match, event))

function applied(match: Match, event: MatchEvent): Match {
  switch (event.type) {
    case 'match_found':
      return event.match
    case 'match_proposed':
      return event.match
    case 'match_answered':
      return answered(match, event.playerIds, event.spreadAt)
    case 'answers_spread':
      return match.proposal === undefined ? match : { ...match, proposal: { ...match.proposal, spreadAt: null } }
    case 'match_accepted':
      return { ...settled(moved(match, 'accept'), 'accepted'), ...event.made, createdAt: event.at }
    case 'proposal_ended':
      return { ...settled(moved(match, 'fall_through'), event.outcome), endedAt: event.at }
    case 'match_started':
      return { ...moved(match, 'begin'), startedAt: event.at, ...builtBy(event) }
    case 'match_assigned':
      return match.external === undefined
        ? match
        : { ...match, external: { ...match.external, assignment: event.assignment } }
    case 'match_player_left':
      return withPlayerGone(match, event.lobbyId, event.playerId, event.at)
    case 'match_player_erased':
      return erased(match, event.playerId)
    case 'match_lobby_left':
      return withoutLobby(match, event.lobbyId, event.at)
    case 'match_states_changed':
      return withStates(match, event.players)
    case 'backfill_requested':
      return { ...match, backfill: { ...event.request, version: match.backfill?.version ?? 0 } }
    case 'backfill_ended':
      return withoutRequest(match)
    case 'match_filled':
      return shrunk(withNewcomers(withoutSeatsOf(match, event.teams), event.teams, event.lobbyIds), event.teams)
    case 'seat_kept':
      return { ...match, keptSeats: [...(match.keptSeats ?? []), event.seat] }
    case 'seat_freed':
      return withSeats(match, ({ playerId }) => playerId !== event.playerId)
    case 'seat_taken':
      return seatTaken(match, { name: event.team, players: [event.player] })
    case 'match_closed':
      return { ...asksForNobody(match), closedAt: event.at }
    case 'match_resulted':
      return { ...match, result: event.result, ...(event.counted === undefined ? {} : { counted: event.counted }) }
    case 'match_ended':
      return { ...moved(asksForNobody(match), 'end'), endedAt: event.at, ending: event.ending, ...builtBy(event) }
  }
}

const builtBy = ({ build }: { readonly build?: MatchBuild }) => (build === undefined ? {} : { build })

function answered(match: Match, playerIds: readonly string[], spreadAt: number | null): Match {
  const after = withAnswers(match, playerIds, 'accepted')
  return after.proposal === undefined || spreadAt === null
    ? after
    : { ...after, proposal: { ...after.proposal, spreadAt } }
}

/** Returns the match with the outcome of its proposal, and with the version that the match gets by the commit of this event. */
const settled = (match: Match, outcome: ProposalOutcome): Match =>
  match.proposal === undefined
    ? match
    : { ...match, proposal: { ...match.proposal, settled: { outcome, version: match.version + 1 } } }

/** Returns the match after all events of one commit, which together give it one new version. */
export function evolveMatchAll(match: Match, events: readonly MatchEvent[]): Match {
  if (events.length === 0) return match
  const after = { ...events.reduce(evolveMatch, match), version: match.version + 1 }
  if (after.backfill === undefined) return after
  // The director checks new players against the players in the match. The request therefore gets a new version whenever the match changes.
  const isSame = match.backfill?.ticketId === after.backfill.ticketId
  return { ...after, backfill: { ...after.backfill, version: isSame ? (match.backfill?.version ?? 0) + 1 : 1 } }
}
