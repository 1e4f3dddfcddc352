import type { QueueTicket } from '../lobby/queue-ticket'
import { queueKey } from '../queue/queue'
import type { Match } from './match'
import { stillPlays } from './seats'

/**
 * Returns the row of a match's backfill request, which the director reads beside the tickets of the queue; undefined without a request. It
 * contains the players who still play, with the states by which rules judge them.
 */
export function requestTicketOf(match: Match): QueueTicket | undefined {
  const { backfill, id: matchId, projectId, queueId } = match
  if (backfill === undefined) return undefined
  return {
    id: backfill.ticketId,
    version: backfill.version,
    projectId,
    queueKey: queueKey(projectId, queueId),
    // No lobby has this id, so code of an earlier release treats the row as a ticket whose lobby is gone.
    lobbyId: matchId,
    enteredAt: backfill.requestedAt,
    region: match.region,
    // No player of a request waits.
    players: [],
    request: {
      matchId,
      players: match.teams.flatMap(({ name: team, players }) =>
        players.filter(stillPlays).map(({ playerId, state, role }) => ({ playerId, state, team, role })),
      ),
      teams: backfill.teams,
      gameVersion: match.gameVersion,
    },
  }
}
