import type { QueueTicket } from '../lobby/queue-ticket'
import { queueKey } from '../queue/queue'
import type { Match } from './match'
import { stillPlays } from './seats'

/**
 * Returns the row of a match's backfill request, which the director reads with the tickets of the queue; undefined without a request. The
 * row contains the players in the match, with the states that rules compare new players with.
 */
export function requestTicketOf(match: Match): QueueTicket | undefined {
  const { backfill, id: matchId, projectId, queueId } = match
  if (backfill === undefined) return undefined
  return {
    id: backfill.ticketId,
    version: backfill.version,
    projectId,
    queueKey: queueKey(projectId, queueId),
    // No lobby has this id. Code of an earlier release therefore treats the row as the ticket of a deleted lobby.
    lobbyId: matchId,
    enteredAt: backfill.requestedAt,
    region: match.region,
    // No player waits in a request.
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
