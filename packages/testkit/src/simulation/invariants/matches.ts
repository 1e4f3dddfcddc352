import type { Match, MatchPlayer } from '@matchyard/core'
import { ERASED, isProposed } from '@matchyard/core/domain'
import { isValidMatch, type Proposal } from '@matchyard/matchmaking'
import { type Invariant, twice, type View } from './invariant'

const running = (view: View): Match[] =>
  [...view.now.matches.values()].filter((match) => match.endedAt === null && !isProposed(match))

/** Invariant: no player is in a match twice. */
export const nobodyIsInAMatchTwice: Invariant = ({ now }) =>
  [...now.matches.values()].flatMap((match) => {
    // A player who left may have returned to another seat. Erased players have no id, so they cannot be told apart.
    const plays = ({ leftAt, playerId }: MatchPlayer) => leftAt === null && playerId !== ERASED
    const players = match.teams.flatMap((team) => team.players.filter(plays))
    return [...twice(players, (player) => player.playerId).keys()].map((player) => `${player} is in ${match.id} twice`)
  })

/** Invariant: a lobby is in at most one running match, and the match and the lobby contain each other's ids. */
export const aLobbyIsInOneMatch: Invariant = (view) => {
  const places = running(view).flatMap((match) => match.lobbyIds.map((lobbyId) => ({ lobbyId, match })))
  const strange = places.filter(({ lobbyId, match }) => view.now.lobbies.get(lobbyId)?.matchId !== match.id)
  return [
    ...[...twice(places, (place) => place.lobbyId).keys()].map((lobbyId) => `${lobbyId} is in two matches`),
    ...strange.map(({ lobbyId, match }) => `${match.id} holds ${lobbyId}, which is not in it`),
    ...running(view).flatMap((match) => (match.lobbyIds.length === 0 ? [`${match.id} runs without lobbies`] : [])),
  ]
}

/** Invariant: a new match keeps the queue's rules, and consists of tickets that waited. */
export const aNewMatchIsValid: Invariant = ({ now, before }) =>
  [...now.matches.values()].flatMap((match) => {
    if (before === undefined || before.matches.has(match.id) || (match.waits.length === 0 && !isProposed(match)))
      return []
    const queue = now.queues.get(`${match.projectId}/${match.queueId}`)
    if (queue?.matchmaking == null) return [`${match.id} was made in a queue without matchmaking`]
    const tickets = match.lobbyIds.flatMap((lobbyId) => {
      const ticket = before.lobbies.get(lobbyId)?.ticket
      return (ticket && before.tickets.get(ticket.id)) ?? []
    })
    const ticketOf = new Map(tickets.map((ticket) => [ticket.lobbyId, ticket.id]))
    const proposal: Proposal = {
      ticketIds: tickets.map((ticket) => ticket.id),
      teams: match.teams.map(({ name, players }) => ({
        name,
        players: players.map(({ playerId, lobbyId, role }) => ({
          playerId,
          role,
          ticketId: ticketOf.get(lobbyId) ?? '',
        })),
      })),
      region: match.region,
      version: match.gameVersion,
    }
    const config = { ...queue.matchmaking, serverRegion: queue.serverSettings?.region ?? null }
    const verdict = isValidMatch(config, tickets, proposal, match.createdAt)
    return verdict === true ? [] : [`${match.id} is not valid: ${verdict}`]
  })

/**
 * Invariant: after a match has ended, its server is stopping or has ended. The server of a running match is launching
 * or running.
 */
export const aMatchAndItsServerEndTogether: Invariant = (view) => [
  ...[...view.now.servers.values()].flatMap((server) => {
    if (server.matchId === null || (server.status !== 'launching' && server.status !== 'running')) return []
    const match = view.now.matches.get(server.matchId)
    if (match?.serverId !== server.id) return [`${server.id} is ${server.status} for a match that does not name it`]
    return match.endedAt === null ? [] : [`${server.id} is ${server.status} after ${match.id} has ended`]
  }),
  ...running(view).flatMap((match) => {
    const server = match.serverId === null ? undefined : view.now.servers.get(match.serverId)
    if (match.serverId === null || server?.status === 'launching' || server?.status === 'running') return []
    return [`${match.id} runs and its server is ${server?.status ?? 'missing'}`]
  }),
]
