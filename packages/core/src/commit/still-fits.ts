import { isValidMatch, type Proposal } from '@matchyard/matchmaking'
import type { Lobby } from '../lobby/lobby'
import { type QueueTicket, ticketOf, toEngine } from '../lobby/queue-ticket'
import { isHeldBy, stayOf } from '../lobby/stay'
import { needsSettling } from '../lobby/trusted-state'
import type { Match } from '../match/match'
import { fieldRightsOf } from '../queue/field-rights'
import { type EngineRegions, engineConfig } from '../queue/matchmaking'
import type { Queue } from '../queue/queue'

/**
 * Whether a proposed match can be made of these lobbies under the current settings of the queue. The check uses the waiting times at the
 * instant at which the match was found: longer waiting would only relax rules further, and it must not move the match to another region
 * while its players answer.
 */
export function stillFits(queue: Queue, match: Match, lobbies: readonly Lobby[], regions: EngineRegions): boolean {
  if (queue.matchmaking === null || lobbies.length < match.lobbyIds.length) return false
  if (!lobbies.every((lobby) => isHeldBy(lobby, match.id))) return false
  if (lobbies.some((lobby) => needsSettling(lobby, fieldRightsOf(queue)))) return false
  const tickets = heldTickets(lobbies)
  return (
    isValidMatch(
      engineConfig(queue, keeping(match, regions)),
      tickets.map(toEngine),
      proposalOf(match, tickets),
      match.createdAt,
    ) === true
  )
}

/**
 * Returns the regions by which the match is checked: only its own region while that region is served, so that a change of other regions
 * does not move the match. When its own region is no longer served, the check finds that the match would start elsewhere.
 */
const keeping = ({ region }: Match, { servedRegions, ...rest }: EngineRegions): EngineRegions => {
  if (servedRegions === undefined) return rest
  return { ...rest, servedRegions: servedRegions.includes(region) ? [region] : servedRegions }
}

/** Returns the tickets that the lobbies of the proposal would have in the queue. */
const heldTickets = (lobbies: readonly Lobby[]): QueueTicket[] =>
  lobbies.flatMap((lobby) => {
    const stay = stayOf(lobby)
    return stay === undefined ? [] : [ticketOf(lobby, { ...stay, id: stay.ticketId })]
  })

function proposalOf(match: Match, tickets: readonly QueueTicket[]): Proposal {
  const ticketOfLobby = new Map(tickets.map(({ lobbyId, id }) => [lobbyId, id]))
  return {
    ticketIds: tickets.map(({ id }) => id),
    teams: match.teams.map(({ name, players }) => ({
      name,
      players: players.map(({ playerId, lobbyId, role }) => ({
        playerId,
        ticketId: ticketOfLobby.get(lobbyId) ?? '',
        role,
      })),
    })),
    region: match.region,
    version: match.gameVersion,
  }
}
