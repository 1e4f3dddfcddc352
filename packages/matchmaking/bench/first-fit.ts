import { byAge } from '../src/config/match-format'
import type { MatchmakingConfig, OpenTeam, Proposal, ProposedPlayer, SeatRequest, Ticket } from '../src/types'
import { isValidFill } from '../src/verify/is-valid-fill'
import { rolesOf } from '../src/verify/party'

/** Requests by age take parties by age, each in the first team in which all that joined so far are a valid fill. */
export const firstFit = (
  config: MatchmakingConfig,
  requests: readonly SeatRequest[],
  tickets: readonly Ticket[],
  now: number,
): Proposal[] => {
  const free = new Set([...tickets].sort(byAge))
  const order = [...requests].sort((a, b) => a.requestedAt - b.requestedAt || (a.id < b.id ? -1 : 1))
  return order.flatMap((request) => {
    let fill: Proposal | undefined
    for (const ticket of free) {
      const larger = withTicket(config, request, fill, ticket, [...tickets], now)
      if (!larger) continue
      fill = larger
      free.delete(ticket)
    }
    return fill ?? []
  })
}

const withTicket = (
  config: MatchmakingConfig,
  request: SeatRequest,
  fill: Proposal | undefined,
  ticket: Ticket,
  tickets: readonly Ticket[],
  now: number,
): Proposal | undefined => {
  const teams = new Map((fill?.teams ?? []).map((team) => [team.name, team.players]))
  for (const open of request.teams) {
    const before = teams.get(open.name) ?? []
    const joining = seated(open, before, ticket)
    if (!joining) continue
    const proposal = {
      requestId: request.id,
      ticketIds: [...(fill?.ticketIds ?? []), ticket.id],
      teams: [...new Map(teams).set(open.name, [...before, ...joining])].map(([name, players]) => ({ name, players })),
      region: request.region,
      version: request.version,
    }
    if (isValidFill(config, tickets, request, proposal, now) === true) return proposal
  }
  return undefined
}

const seated = (
  { open, roles }: OpenTeam,
  before: readonly ProposedPlayer[],
  { id, players }: Ticket,
): ProposedPlayer[] | undefined => {
  if (before.length + players.length > open) return undefined
  const left = new Map(Object.entries(roles ?? {}))
  for (const { role } of before) if (role !== null) left.set(role, (left.get(role) as number) - 1)
  const seats: ProposedPlayer[] = []
  for (const { playerId, state } of players) {
    const role = roles && [...(rolesOf(state) ?? left.keys())].find((one) => (left.get(one) ?? 0) > 0)
    if (role === undefined) return undefined
    if (role !== null) left.set(role, (left.get(role) as number) - 1)
    seats.push({ playerId, ticketId: id, role })
  }
  return seats
}
