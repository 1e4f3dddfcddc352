import {
  isValidFill,
  type MatchmakingConfig,
  type Proposal,
  type ProposedTeam,
  type SeatRequest,
  type Ticket,
} from '@matchyard/matchmaking'
import { areApart, compareApart } from './apart'
import { divisions, products, type Shape, ticketsByAge } from './oracle'

/** Most combinations that one search compares; then it throws. */
const MAX_CHOICES = 1 << 20

/**
 * Yields every fill of a request by all of these tickets together: all divisions over the request's teams, with all
 * roles.
 */
function* fillsOf(request: SeatRequest, members: readonly Ticket[]): Generator<Proposal> {
  const { id, region, version } = request
  const ticketIds = ticketsByAge(members).map((ticket) => ticket.id)
  const shapes = request.teams.map(
    ({ name, open, roles }): Shape => ({
      name,
      min: 0,
      max: open,
      roles: roles ? Object.entries(roles).flatMap(([role, count]) => new Array<string>(count).fill(role)) : undefined,
      different: true,
    }),
  )
  for (const division of divisions(members, shapes)) {
    for (const seated of products(division, shapes)) {
      const teams: ProposedTeam[] = seated.filter(({ players }) => players.length > 0)
      yield { requestId: id, ticketIds, teams, region, version }
    }
  }
}

/** Faults that every seating of the same tickets has, so that the search can stop. */
const WRONG_TICKETS =
  /^(a player appears twice|party |version|region|.* plays already|rule (?!team_difference|avoid in a team))/

/**
 * Whether all of these tickets together may join the match of a request. The function tries every seating and calls
 * `isValidFill` for it.
 */
export const canFill = (
  config: MatchmakingConfig,
  members: readonly Ticket[],
  request: SeatRequest,
  now: number,
): boolean => {
  for (const fill of fillsOf(request, members)) {
    const verdict = isValidFill(config, members, request, fill, now)
    compareApart(verdict, areApart(config, members, fill, now, request))
    if (verdict === true) return true
    if (WRONG_TICKETS.test(verdict)) return false
  }
  return false
}

export const requestsByAge = (requests: readonly SeatRequest[]): SeatRequest[] =>
  [...requests].sort((a, b) => a.requestedAt - b.requestedAt || (a.id < b.id ? -1 : 1))

/** A result: the number of filled seats of each request, oldest request first, and the tickets that take the seats. */
export interface Service {
  readonly seats: readonly number[]
  readonly tickets: readonly string[]
}

/**
 * Returns the best result, by exhaustive search. Each request, oldest first, gets the number of seats filled that its
 * set with the oldest tickets fills, without changing the numbers of older requests. Among the choices with these
 * numbers, the function takes the choice with the oldest tickets.
 */
export const bestFills = (
  config: MatchmakingConfig,
  tickets: readonly Ticket[],
  requests: readonly SeatRequest[],
  now: number,
): Service => {
  const ordered = ticketsByAge(tickets)
  const size = (set: number) => ordered.reduce((sum, { players }, at) => sum + ((set >> at) & 1) * players.length, 0)
  const older = (a: number, b: number) => ((a ^ b) & -(a ^ b) & a) !== 0
  const seats: number[] = []
  /** Sets of tickets that can be seated together in the requests examined so far. */
  let choices = new Set([0])
  for (const request of requestsByAge(requests)) {
    const own = setsFor(config, ordered, request, now)
    let best = 0
    let looks = 0
    for (const others of choices) {
      for (const set of own) {
        if (++looks > MAX_CHOICES) throw new Error('the pool is too large for an exhaustive search')
        if ((others & set) === 0 && older(set, best)) best = set
      }
    }
    seats.push(size(best))
    if (best === 0) continue
    const next = new Set<number>()
    for (const others of choices) {
      for (const set of own) if ((others & set) === 0 && size(set) === size(best)) next.add(others | set)
    }
    choices = next
  }
  const taken = [...choices].reduce((best, set) => (older(set, best) ? set : best), 0)
  return { seats, tickets: ordered.filter((_, at) => (taken >> at) & 1).map(({ id }) => id) }
}

/** Returns the sets of tickets that may join one match, as bits in order of age. */
const setsFor = (
  config: MatchmakingConfig,
  ordered: readonly Ticket[],
  request: SeatRequest,
  now: number,
): number[] => {
  const open = request.teams.reduce((sum, team) => sum + team.open, 0)
  const found: number[] = []
  const grow = (from: number, set: number, members: readonly Ticket[], players: number): void => {
    if (set !== 0 && canFill(config, members, request, now)) found.push(set)
    for (let at = from; at < ordered.length; at++) {
      const ticket = ordered[at] as Ticket
      if (players + ticket.players.length <= open) {
        grow(at + 1, set | (1 << at), [...members, ticket], players + ticket.players.length)
      }
    }
  }
  grow(0, 0, [], 0)
  return found
}

/**
 * Returns the best result for any number of requests with one open seat each. Age decides which requests are served,
 * and then which tickets are seated: a request or ticket is chosen if it can be served together with all older chosen
 * requests or tickets.
 */
export const bestSeats = (
  config: MatchmakingConfig,
  tickets: readonly Ticket[],
  requests: readonly SeatRequest[],
  now: number,
): Service => {
  const asking = requestsByAge(requests)
  const ordered = ticketsByAge(tickets)
  const joins = asking.map((request) => ordered.map((ticket) => canFill(config, [ticket], request, now)))
  const servedRequests = inOrder(asking.length, ordered.length, (request, ticket) => joins[request]?.[ticket] === true)
  const kept = [...asking.keys()].filter((request) => servedRequests[request])
  const servedTickets = inOrder(
    ordered.length,
    kept.length,
    (ticket, at) => joins[kept[at] as number]?.[ticket] === true,
  )
  return {
    seats: servedRequests.map(Number),
    tickets: ordered.filter((_, at) => servedTickets[at]).map(({ id }) => id),
  }
}

/**
 * Returns the items of the first list that can be served, in order. Each of them is served by a different item of the
 * second list.
 */
const inOrder = (count: number, others: number, suits: (one: number, other: number) => boolean): boolean[] => {
  const holder = new Array<number>(others).fill(-1)
  const place = (one: number, tried: Set<number>): boolean => {
    for (let other = 0; other < others; other++) {
      if (!suits(one, other) || tried.has(other)) continue
      tried.add(other)
      if ((holder[other] as number) >= 0 && !place(holder[other] as number, tried)) continue
      holder[other] = one
      return true
    }
    return false
  }
  return Array.from({ length: count }, (_, one) => place(one, new Set()))
}
