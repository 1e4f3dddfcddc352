import type { QueueTicket } from '../../lobby/queue-ticket'
import type { MatchEvent } from '../../match/events'
import { evolveMatchAll } from '../../match/evolve'
import type { Match } from '../../match/match'
import { requestTicketOf } from '../../match/request-ticket'
import type { Draft } from '../draft'
import { followUps } from '../follow-ups'

/** Adds a new match. */
export function putMatch(draft: Draft, match: Match): Match {
  draft.create('match', match)
  draft.tell({ type: 'match_found', match, projectId: match.projectId })
  draft.job(...followUps.match(match, { type: 'match_found', match }, draft.at))
  return match
}

/** Adds a match that is proposed to its players. */
export function putProposal(draft: Draft, match: Match): Match {
  draft.create('match', match)
  draft.tell({ type: 'match_proposed', match, projectId: match.projectId })
  draft.job(...followUps.match(match, { type: 'match_proposed', match }, draft.at))
  return match
}

/**
 * Applies events to a match: adds the row, the row of its backfill request and the domain events to the draft. The rows of its lobbies and
 * its server are not written. Returns the next state.
 */
export function writeMatch(draft: Draft, before: Match, events: readonly MatchEvent[]): Match {
  const after = evolveMatchAll(before, events)
  if (after === before) return before
  draft.replace('match', before, after)
  writeRequest(draft, requestTicketOf(before), requestTicketOf(after))
  const { projectId } = after
  for (const event of events) {
    if (event.type === 'match_accepted') draft.tell({ type: 'match_found', match: after, projectId })
    if (event.type === 'proposal_ended') {
      draft.tell({ type: event.type, match: after, outcome: event.outcome, reason: event.reason, projectId })
    }
    if (event.type === 'match_started') draft.tell({ type: event.type, match: after, projectId })
    if (event.type === 'match_filled') {
      const { lobbyIds, waits } = event
      draft.tell({ type: 'match_backfilled', match: after, lobbyIds, waits, projectId })
    }
    if (event.type === 'seat_taken') {
      // A player who joins by a kept seat has not waited in the queue.
      const newcomers = { lobbyIds: [event.player.lobbyId], waits: [] }
      draft.tell({ type: 'match_backfilled', match: after, ...newcomers, projectId })
    }
    if (event.type === 'match_resulted') draft.tell({ type: event.type, match: after, projectId })
    if (event.type === 'match_ended')
      draft.tell({ type: event.type, match: after, reason: event.ending.detail, projectId })
    draft.job(...followUps.match(after, event, draft.at))
  }
  return after
}

function writeRequest(draft: Draft, was: QueueTicket | undefined, is: QueueTicket | undefined): void {
  if (was !== undefined && was.id !== is?.id) draft.remove('ticket', was)
  if (is === undefined) return
  if (was?.id === is.id) draft.replace('ticket', was, is)
  else draft.create('ticket', is)
}
