import type { MatchFormat, TeamFormat } from '../config/match-format'
import type { Ticket } from '../types'
import { rolesOf } from '../verify/party'
import type { Wish } from '../verify/role-seats'
import { cheapestPlaces } from './cheapest-places'
import { type Clashes, mayJoin } from './team-clashes'

/**
 * Most divisions of parties over teams that one search compares. A match of up to 8 parties has far fewer divisions
 * that fill its teams.
 */
const MAX_DIVISIONS = 2_000
/** Rank in a player's list of roles: all roles from this rank on count as equally bad. */
const MAX_DEPTH = 4
/** Most tickets that can be stored as the bits of a number. */
const MOST_BITS = 30

export interface RoleSeat {
  readonly team: number
  readonly role: string
}

/**
 * Seats parties in the teams of a composition, so that every role is filled exactly. The function takes the seating
 * with the most first choices, then with the most second choices. `accepts` receives each division (the team of each
 * party) and may refuse it; parties that clash are in different teams. Returns the seats by party, then by player; undefined where no seating was found.
 */
export const seatRoles = (
  format: MatchFormat,
  tickets: readonly Ticket[],
  accepts: (teamOf: readonly number[]) => boolean,
  clashes?: Clashes,
): RoleSeat[][] | undefined => {
  const seating = new RoleSeating(format, tickets)
  const teamOf: number[] = tickets.map(() => -1)
  const sizes = format.teams.map(() => 0)
  const fixed = format.teams.map(() => new Map<string, number>())
  let best: RoleSeat[][] | undefined
  let lowest = Number.POSITIVE_INFINITY
  let divisions = 0
  const place = (index: number): void => {
    if (divisions > MAX_DIVISIONS) return
    const ticket = tickets[index]
    if (!ticket) {
      divisions++
      if (!accepts(teamOf)) return
      const seated = seating.seat(teamOf, lowest)
      if (!seated) return
      best = seated.seats
      lowest = seated.cost
      return
    }
    for (let team = 0; team < sizes.length; team++) {
      const room = (format.teams[team] as TeamFormat).max - (sizes[team] as number)
      if (room < ticket.players.length || lowest === 0 || !mayJoin(clashes, index, team, teamOf, index)) continue
      const taken = fixed[team] as Map<string, number>
      const only = seating.only[index] as readonly string[]
      if (!take(format.teams[team] as TeamFormat, only, taken)) continue
      teamOf[index] = team
      sizes[team] = (sizes[team] as number) + ticket.players.length
      place(index + 1)
      sizes[team] = (sizes[team] as number) - ticket.players.length
      giveBack(only, only.length, taken)
    }
  }
  place(0)
  return best
}

/** Takes one place for each wanted role; takes no place and returns false when at least one role has no place left. */
const take = ({ roles }: TeamFormat, wanted: readonly string[], taken: Map<string, number>): boolean => {
  for (let index = 0; index < wanted.length; index++) {
    const role = wanted[index] as string
    const count = (taken.get(role) ?? 0) + 1
    if (count > (roles?.get(role) ?? 0)) {
      giveBack(wanted, index, taken)
      return false
    }
    taken.set(role, count)
  }
  return true
}

const giveBack = (roles: readonly string[], count: number, taken: Map<string, number>): void => {
  for (let index = 0; index < count; index++) {
    const role = roles[index] as string
    taken.set(role, (taken.get(role) as number) - 1)
  }
}

/**
 * Returns the cost of a role for a player: 0 for the first choice, or when the player's state lists no roles; Infinity
 * for a role that the player does not accept.
 */
export const costOf = (wishes: Wish, role: string, unit: number): number => {
  if (!wishes) return 0
  const rank = wishes.indexOf(role)
  if (rank < 0) return Number.POSITIVE_INFINITY
  // One more first choice saves more than any number of second choices, and the same holds for each further rank.
  return rank === 0 ? 0 : unit ** MAX_DEPTH - unit ** (MAX_DEPTH - Math.min(rank, MAX_DEPTH))
}

/** Assigns each player, who accepts only one role, to the first free place of this role. */
const takeInOrder = (
  places: readonly string[],
  members: readonly { wishes: Wish }[],
): { places: number[]; cost: number } | undefined => {
  const chosen: number[] = []
  for (const { wishes } of members) {
    const role = wishes?.[0] as string
    let place = places.indexOf(role)
    while (chosen.includes(place)) place = places.indexOf(role, place + 1)
    if (place < 0) return undefined
    chosen.push(place)
  }
  return { places: chosen, cost: 0 }
}

/**
 * Returns the best roles for parties whose teams are known, by party, then by player; undefined where no assignment of
 * roles exists.
 */
export const seatDivision = (
  format: MatchFormat,
  tickets: readonly Ticket[],
  teamOf: readonly number[],
): RoleSeat[][] | undefined => new RoleSeating(format, tickets).seat(teamOf, Number.POSITIVE_INFINITY)?.seats

interface Member {
  readonly ticket: number
  readonly seat: number
  readonly wishes: Wish
}

/** The players of one team, with the assignment of roles that has the lowest cost. */
interface TeamSeats {
  readonly members: readonly Member[]
  readonly roles: readonly string[]
  readonly cost: number
}

/** Assigns roles within teams. It remembers the results by team, because most divisions share most of their teams. */
class RoleSeating {
  /** By team, then by the tickets of the team as bits: the assignment of roles; undefined where none exists. */
  private readonly known: readonly Map<number, TeamSeats | undefined>[]
  private readonly wishes: readonly (readonly Wish[])[]
  /** By ticket: the roles of those players of the ticket who accept exactly one role. */
  readonly only: readonly (readonly string[])[]

  constructor(
    private readonly format: MatchFormat,
    tickets: readonly Ticket[],
  ) {
    this.known = format.teams.map(() => new Map())
    this.wishes = tickets.map(({ players }) => players.map(({ state }) => rolesOf(state)))
    this.only = this.wishes.map((party) => party.flatMap((own) => (own?.length === 1 ? own : [])))
  }

  /** Returns the seats of a division; undefined when their cost is not below `below`. */
  seat(teamOf: readonly number[], below: number): { seats: RoleSeat[][]; cost: number } | undefined {
    const teams: TeamSeats[] = []
    let cost = 0
    for (let team = 0; team < this.known.length; team++) {
      const seated = this.inTeam(team, teamOf)
      cost += seated?.cost ?? Number.POSITIVE_INFINITY
      if (!seated || cost >= below) return undefined
      teams.push(seated)
    }
    const seats: RoleSeat[][] = teamOf.map(() => [])
    teams.forEach(({ members, roles }, team) => {
      members.forEach(({ ticket, seat }, index) => {
        ;(seats[ticket] as RoleSeat[])[seat] = { team, role: roles[index] as string }
      })
    })
    return { seats, cost }
  }

  private inTeam(team: number, teamOf: readonly number[]): TeamSeats | undefined {
    if (teamOf.length > MOST_BITS) return this.seatTeam(team, teamOf)
    const known = this.known[team] as Map<number, TeamSeats | undefined>
    let key = 0
    for (let ticket = 0; ticket < teamOf.length; ticket++) if (teamOf[ticket] === team) key |= 1 << ticket
    if (!known.has(key)) known.set(key, this.seatTeam(team, teamOf))
    return known.get(key)
  }

  private seatTeam(team: number, teamOf: readonly number[]): TeamSeats | undefined {
    const { format } = this
    const { places } = format.teams[team] as TeamFormat
    const members = this.members(team, teamOf)
    if (members.length !== places.length) return undefined
    const simple = members.every((member) => member.wishes?.length === 1)
    const chosen = simple
      ? takeInOrder(places, members)
      : cheapestPlaces(members.map((member) => places.map((role) => costOf(member.wishes, role, format.fullSize + 1))))
    return chosen && { members, roles: chosen.places.map((place) => places[place] as string), cost: chosen.cost }
  }

  private members(team: number, teamOf: readonly number[]): Member[] {
    const members: Member[] = []
    for (let ticket = 0; ticket < teamOf.length; ticket++) {
      if (teamOf[ticket] !== team) continue
      const party = this.wishes[ticket] as readonly Wish[]
      for (let seat = 0; seat < party.length; seat++) members.push({ ticket, seat, wishes: party[seat] })
    }
    return members
  }
}
