import type { QueueTicket } from '../lobby/queue-ticket'
import { queueKey } from '../queue/queue'
import type { Match } from './match'
import { stillPlays } from './seats'

/**
 * The row of a match's request beside the tickets of its queue, as the director reads it; undefined while nobody is asked for. Of
 * those who play it has who they are and how they are judged now.
 */
export function requestTicketOf(match: Match): QueueTicket | undefined {
  const { backfill, id: matchId, projectId, queueId } = match
  if (backfill === undefined) return undefined
  return {
    id: backfill.ticketId,
    version: backfill.version,
    projectId,
    queueKey: queueKey(projectId, queueId),
    // No lobby has this id: code that knows no requests takes it for a ticket whose lobby is gone.
    lobbyId: matchId,
    enteredAt: backfill.requestedAt,
    region: match.region,
    // Nobody of them waits.
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
