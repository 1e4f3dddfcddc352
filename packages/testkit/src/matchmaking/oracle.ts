import {
  isValidMatch,
  type MatchmakingConfig,
  type Proposal,
  type ProposedTeam,
  type Ticket,
  type TicketPlayer,
} from '@matchyard/matchmaking'
import { areApart, compareApart } from './apart'

/** Most subsets of tickets that one search tries; then it throws. */
const MAX_SUBSETS = 1 << 16

const byAge = (a: Ticket, b: Ticket): number => a.enteredAt - b.enteredAt || (a.id < b.id ? -1 : 1)

export const ticketsByAge = (tickets: readonly Ticket[]): Ticket[] => [...tickets].sort(byAge)

export interface Shape {
  readonly name: string
  readonly min: number
  readonly max: number
  readonly roles: readonly string[] | undefined
  /** Whether teams without new players differ from each other, as the teams of a running match do. */
  readonly different?: boolean
}

const shapesOf = (config: MatchmakingConfig): Shape[] => {
  if (config.teamComposition) {
    return Object.entries(config.teamComposition).map(([name, roles]) => {
      const places = Object.entries(roles).flatMap(([role, count]) => new Array<string>(count).fill(role))
      return { name, min: places.length, max: places.length, roles: places }
    })
  }
  const max = config.playersPerTeam ?? 1
  return Array.from({ length: config.teams ?? 2 }, (_, index) => ({
    name: `team_${index + 1}`,
    min: config.minPlayersPerTeam ?? max,
    max,
    roles: undefined,
  }))
}

/** Returns the number of players of a full match. */
export const fullSizeOf = (config: MatchmakingConfig): number =>
  shapesOf(config).reduce((sum, team) => sum + team.max, 0)

type Place = { playerId: string; ticketId: string; role: string | null }

interface Seatable {
  readonly playerId: string
  readonly ticketId: string
  readonly state: TicketPlayer['state']
}

/** Whether a player accepts a role: the player's state lists this role, or lists no roles. */
const takes = ({ role: only, roles }: TicketPlayer['state'], role: string): boolean => {
  if (typeof only === 'string') return only === role
  return !Array.isArray(roles) || roles.some((one) => typeof one !== 'string') || roles.includes(role)
}

/** Yields every way to assign the places of a team to its players, with the roles in all orders. */
function* seatings(players: readonly Seatable[], places: readonly string[] | undefined): Generator<Place[]> {
  const [first, ...others] = players
  if (!first) {
    yield []
    return
  }
  const { playerId, ticketId, state } = first
  for (const role of places ? new Set(places) : [null]) {
    if (role !== null && !takes(state, role)) continue
    const left = places && [...places]
    if (left && role !== null) left.splice(left.indexOf(role), 1)
    for (const rest of seatings(others, left)) yield [{ playerId, ticketId, role }, ...rest]
  }
}

/**
 * Yields every division of parties over teams with allowed sizes. If several teams without roles are empty and do not
 * differ (see `Shape`), it tries only the first of them.
 */
export function* divisions(parties: readonly Ticket[], shapes: readonly Shape[]): Generator<Ticket[][]> {
  const teams: Ticket[][] = shapes.map(() => [])
  const sizes = shapes.map(() => 0)
  function* place(index: number): Generator<Ticket[][]> {
    const party = parties[index]
    if (!party) {
      if (shapes.every((shape, team) => (sizes[team] as number) >= shape.min)) yield teams
      return
    }
    for (const [team, shape] of shapes.entries()) {
      if ((sizes[team] as number) + party.players.length > shape.max) continue
      if (!shape.roles && !shape.different && sizes.indexOf(0) < team && sizes[team] === 0) continue
      teams[team]?.push(party)
      sizes[team] = (sizes[team] as number) + party.players.length
      yield* place(index + 1)
      teams[team]?.pop()
      sizes[team] = (sizes[team] as number) - party.players.length
    }
  }
  yield* place(0)
}

export function* products(teams: readonly Ticket[][], shapes: readonly Shape[]): Generator<ProposedTeam[]> {
  const [parties, ...others] = teams
  const [shape, ...shapesLeft] = shapes
  if (!parties || !shape) {
    yield []
    return
  }
  const players = parties.flatMap(({ id, players: own }) => own.map((player) => ({ ...player, ticketId: id })))
  for (const seated of seatings(players, shape.roles)) {
    for (const rest of products(others, shapesLeft)) yield [{ name: shape.name, players: seated }, ...rest]
  }
}

/** Yields every proposal that these tickets together could form: all divisions, with all roles, without regions. */
export function* proposalsOf(
  config: MatchmakingConfig,
  members: readonly Ticket[],
): Generator<Omit<Proposal, 'region' | 'version'>> {
  const shapes = shapesOf(config)
  const least = config.teamComposition ? shapes.length : (config.minTeams ?? shapes.length)
  const ticketIds = [...members].sort(byAge).map((ticket) => ticket.id)
  for (let teams = shapes.length; teams >= least; teams--) {
    for (const division of divisions(members, shapes.slice(0, teams))) {
      for (const seated of products(division, shapes.slice(0, teams))) yield { ticketIds, teams: seated }
    }
  }
}

const WRONG_REGION = /^region /
/** Faults that every seating of the same tickets has, so that the search can stop. */
const WRONG_TICKETS = /^(a player appears twice|party |version|rule (?!team_difference|avoid in a team))/

/**
 * Returns the largest number of teams that these tickets together fill as one match at `now`; 0 when they form no
 * match. The function checks all proposals with `isValidMatch`.
 */
export const mostTeams = (config: MatchmakingConfig, members: readonly Ticket[], now: number): number => {
  const version = config.useVersionFromState ? String(members[0]?.players[0]?.state.game_version) : null
  for (const draft of proposalsOf(config, members)) {
    const verdict = isValidMatch(config, members, { ...draft, region: '', version }, now)
    compareApart(verdict === true || WRONG_REGION.test(verdict) ? true : verdict, areApart(config, members, draft, now))
    // `isValidMatch` checks the region last, and the region never makes a match impossible.
    if (verdict === true || WRONG_REGION.test(verdict)) return draft.teams.length
    if (WRONG_TICKETS.test(verdict)) return 0
  }
  return 0
}

/** Whether all of these tickets together could be one match at `now`. */
export const canMatch = (config: MatchmakingConfig, members: readonly Ticket[], now: number): boolean =>
  mostTeams(config, members, now) > 0

/**
 * Returns the first set of tickets that could be a full match, by trying all sets; with `holding`, only sets that
 * contain that ticket are tried.
 */
export const findFullMatch = (
  config: MatchmakingConfig,
  tickets: readonly Ticket[],
  now: number,
  holding?: Ticket,
): Ticket[] | undefined => {
  const size = fullSizeOf(config)
  for (const members of subsets(tickets, size, holding)) if (canMatch(config, members, now)) return members
  return undefined
}

/** Yields all sets of tickets that have exactly `size` players in total. */
export function* subsets(tickets: readonly Ticket[], size: number, holding?: Ticket): Generator<Ticket[]> {
  let tried = 0
  function* grow(from: number, members: Ticket[], players: number): Generator<Ticket[]> {
    if (players === size) {
      if (++tried > MAX_SUBSETS) throw new Error('the pool is too large for an exhaustive search')
      yield members
      return
    }
    for (let index = from; index < tickets.length; index++) {
      const next = tickets[index] as Ticket
      if (next === holding || players + next.players.length > size) continue
      yield* grow(index + 1, [...members, next], players + next.players.length)
    }
  }
  yield* holding ? grow(0, [holding], holding.players.length) : grow(0, [], 0)
}

/** Returns all full matches that the tickets of a pool can form, as bit sets of these tickets. */
export const fullMatches = (config: MatchmakingConfig, tickets: readonly Ticket[], now: number): number[] => {
  const bit = new Map(tickets.map((ticket, index) => [ticket, 1 << index]))
  const found: number[] = []
  for (const members of subsets(tickets, fullSizeOf(config))) {
    if (canMatch(config, members, now))
      found.push(members.reduce((bits, ticket) => bits | (bit.get(ticket) as number), 0))
  }
  return found
}

/**
 * Returns the best choice of full matches, by exhaustive search. `byAge`: the tickets that some choice of disjoint
 * matches serves together, as a bit set; older tickets are chosen first. `most`: the largest number of players that any
 * choice serves.
 */
export const bestService = (
  tickets: readonly Ticket[],
  matches: readonly number[],
): { byAge: number; most: number } => {
  const unions = new Set<number>([0])
  for (const match of matches) for (const union of [...unions]) if ((union & match) === 0) unions.add(union | match)
  const all = [...unions]
  let served = 0
  for (const ticket of [...tickets].sort(byAge)) {
    const want = served | (1 << tickets.indexOf(ticket))
    if (all.some((union) => (union & want) === want)) served = want
  }
  const players = (union: number) =>
    tickets.reduce((sum, ticket, index) => sum + ((union >> index) & 1) * ticket.players.length, 0)
  return { byAge: served, most: Math.max(...all.map(players)) }
}

/**
 * Returns the players and teams of the largest short match that a ticket can lead among these tickets: most players,
 * then most teams.
 */
export const largestShortMatch = (
  config: MatchmakingConfig,
  leader: Ticket,
  left: readonly Ticket[],
  now: number,
): { players: number; teams: number } | undefined => {
  const younger = left.filter((ticket) => byAge(leader, ticket) < 0)
  for (let players = fullSizeOf(config) - 1; players > 0; players--) {
    let teams = 0
    for (const members of subsets([leader, ...younger], players, leader)) {
      teams = Math.max(teams, mostTeams(config, members, now))
    }
    if (teams > 0) return { players, teams }
  }
  return undefined
}
