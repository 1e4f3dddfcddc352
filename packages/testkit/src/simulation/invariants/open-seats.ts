import type { Match, QueueTicket } from '@matchyard/core'
import { openSeatsOf, requestTicketOf } from '@matchyard/core/domain'
import { isParty } from '@matchyard/core/ports'
import { isValidFill, type Proposal, type SeatRequest } from '@matchyard/matchmaking'
import type { Invariant } from './invariant'

const each =
  (check: (match: Match, view: Parameters<Invariant>[0]) => string[]): Invariant =>
  (view) =>
    [...view.now.matches.values()].flatMap((match) => check(match, view))

/** Invariant: no team has more players than seats, and no match asks for players to take a seat that is not open. */
export const seatsAreNeverOver: Invariant = each(({ id, teams, seats = [], backfill }) => {
  const playing = (name: string) =>
    teams.find((team) => team.name === name)?.players.filter(({ leftAt }) => leftAt === null).length ?? 0
  const open = new Map(openSeatsOf({ teams }, seats).map((team) => [team.name, team.open]))
  return [
    ...seats.flatMap((team) =>
      playing(team.name) > team.seats
        ? [`${team.name} of ${id} has ${playing(team.name)} of ${team.seats} players`]
        : [],
    ),
    ...(backfill?.teams ?? []).flatMap((asked) =>
      asked.open > (open.get(asked.name) ?? 0)
        ? [`${id} asks for ${asked.open} of ${asked.name}, which is fuller`]
        : [],
    ),
  ]
})

/**
 * Invariant: the row of a request for players exists exactly while its match runs and asks for players, and the row
 * equals the match's data.
 */
export const aBackfillRowFollowsItsMatch: Invariant = (view) => {
  const wrong = each((match, { now }) => {
    const row = now.tickets.get(match.backfill?.ticketId ?? '')
    const ought = requestTicketOf(match)
    if (ought !== undefined && match.endedAt !== null) return [`${match.id} has ended and asks for newcomers`]
    return JSON.stringify(row) === JSON.stringify(ought) ? [] : [`the request of ${match.id} is not as the match is`]
  })(view)
  const { tickets, matches } = view.now
  const stray = [...tickets.values()].filter(
    (row) => !isParty(row) && matches.get(row.request?.matchId ?? '')?.backfill?.ticketId !== row.id,
  )
  return [...wrong, ...stray.map(({ id }) => `request ${id} is no match's`)]
}

/**
 * Invariant: a party that joined a running match took seats for which the match asked, waited in the queue before, and
 * fits all players of the match by the queue's rules.
 */
export const aBackfillIsValid: Invariant = each((match, { now, before }) => {
  const was = before?.matches.get(match.id)
  // A lobby that was waiting took a seat that was kept for its player; `aSeatIsTakenAsItWasKept` checks it.
  const searched = (lobbyId: string) => before?.lobbies.get(lobbyId)?.status !== 'waiting'
  const joined = match.lobbyIds.filter(
    (lobbyId) => was !== undefined && !was.lobbyIds.includes(lobbyId) && searched(lobbyId),
  )
  if (was === undefined || joined.length === 0) return []
  const request = before?.tickets.get(was.backfill?.ticketId ?? '')
  const queue = now.queues.get(`${match.projectId}/${match.queueId}`)
  if (request === undefined || queue?.matchmaking == null) return [`${match.id} was filled without asking`]
  const tickets = joined.flatMap((lobbyId) => {
    const ticket = before?.lobbies.get(lobbyId)?.ticket
    return (ticket && before?.tickets.get(ticket.id)) ?? []
  })
  const config = { ...queue.matchmaking, serverRegion: queue.serverSettings?.region ?? null }
  const verdict = isValidFill(config, tickets, asRequest(request), proposalOf(match, request, tickets), now.at)
  return verdict === true ? [] : [`${match.id} was filled by those who do not suit: ${verdict}`]
})

const asRequest = ({ id, enteredAt, region, request }: QueueTicket): SeatRequest => ({
  ...{ id, requestedAt: enteredAt, region: region ?? '', version: request?.gameVersion ?? null },
  players: request?.players ?? [],
  teams: request?.teams ?? [],
})

function proposalOf(match: Match, request: QueueTicket, tickets: readonly QueueTicket[]): Proposal {
  const ticketOf = new Map(tickets.map((ticket) => [ticket.lobbyId, ticket.id]))
  const aged = [...tickets].sort((a, b) => a.enteredAt - b.enteredAt || (a.id < b.id ? -1 : 1))
  const teams = match.teams.map(({ name, players }) => ({
    name,
    players: players.flatMap(({ playerId, lobbyId, role }) => {
      const ticketId = ticketOf.get(lobbyId)
      return ticketId === undefined ? [] : [{ playerId, role, ticketId }]
    }),
  }))
  return {
    requestId: request.id,
    ticketIds: aged.map(({ id }) => id),
    teams: teams.filter(({ players }) => players.length > 0),
    region: match.region,
    version: match.gameVersion,
  }
}
