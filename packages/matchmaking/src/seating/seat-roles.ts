import type { MatchFormat, TeamFormat } from '../config/match-format'
import type { Ticket, TicketPlayer } from '../types'
import { rolesOf } from '../verify/party'
import type { Wish } from '../verify/role-seats'
import { cheapestPlaces } from './cheapest-places'

/** Divisions of parties over teams that are compared; a match of up to 8 parties has far fewer that fill its teams. */
const MAX_DIVISIONS = 2_000
/** Preferences past this one count alike. */
const MAX_DEPTH = 4

export interface RoleSeat {
  readonly team: number
  readonly role: string
}

/**
 * Seats parties in the teams of a composition, every role filled exactly: of all the ways the one with most first choices,
 * then most second ones. `accepts` sees each division (the team of each party) and may refuse it. By party, then player.
 */
export const seatRoles = (
  format: MatchFormat,
  tickets: readonly Ticket[],
  accepts: (teamOf: readonly number[]) => boolean,
): RoleSeat[][] | undefined => {
  const wishes = wishesOf(tickets)
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
      const seated = assign(format, tickets, wishes, teamOf)
      if (!seated || seated.cost >= lowest) return
      best = seated.seats
      lowest = seated.cost
      return
    }
    for (let team = 0; team < sizes.length; team++) {
      const room = (format.teams[team] as TeamFormat).max - (sizes[team] as number)
      if (room < ticket.players.length || lowest === 0) continue
      const taken = fixed[team] as Map<string, number>
      const before = new Map(taken)
      teamOf[index] = team
      sizes[team] = (sizes[team] as number) + ticket.players.length
      if (takeFixed(format.teams[team] as TeamFormat, wishes[index] ?? [], taken)) place(index + 1)
      sizes[team] = (sizes[team] as number) - ticket.players.length
      fixed[team] = before
    }
  }
  place(0)
  return best
}

const wishesOf = (tickets: readonly Ticket[]): Wish[][] =>
  tickets.map(({ players }) => players.map(({ state }) => rolesOf(state)))

/** Takes the places of players with one role only; false when there is none left for one of them. */
const takeFixed = ({ roles }: TeamFormat, wishes: readonly Wish[], taken: Map<string, number>): boolean => {
  for (const wish of wishes) {
    if (wish?.length !== 1) continue
    const role = wish[0] as string
    const count = (taken.get(role) ?? 0) + 1
    if (count > (roles?.get(role) ?? 0)) return false
    taken.set(role, count)
  }
  return true
}

/** What it costs a player to play a role: nothing for a first choice, or where he has none. */
const costOf = (wishes: Wish, role: string, unit: number): number => {
  if (!wishes) return 0
  const rank = wishes.indexOf(role)
  if (rank < 0) return Number.POSITIVE_INFINITY
  // A place further down the list outweighs any number of places above it.
  return rank === 0 ? 0 : unit ** MAX_DEPTH - unit ** (MAX_DEPTH - Math.min(rank, MAX_DEPTH))
}

/** Where everybody has one role, places are taken as they come. */
const takeInOrder = (
  places: readonly string[],
  members: readonly { wishes: Wish }[],
): { places: number[]; cost: number } | undefined => {
  const used = new Set<number>()
  const chosen = members.map(({ wishes }) => {
    const place = places.findIndex((role, at) => role === wishes?.[0] && !used.has(at))
    used.add(place)
    return place
  })
  return chosen.includes(-1) ? undefined : { places: chosen, cost: 0 }
}

/** The roles of parties whose teams are known, as above. */
export const seatDivision = (
  format: MatchFormat,
  tickets: readonly Ticket[],
  teamOf: readonly number[],
): RoleSeat[][] | undefined => assign(format, tickets, wishesOf(tickets), teamOf)?.seats

const assign = (
  format: MatchFormat,
  tickets: readonly Ticket[],
  wishes: readonly (readonly Wish[])[],
  teamOf: readonly number[],
): { seats: RoleSeat[][]; cost: number } | undefined => {
  const seats: RoleSeat[][] = tickets.map(() => [])
  let cost = 0
  for (const [team, { roles }] of format.teams.entries()) {
    const places = [...(roles ?? [])].flatMap(([role, count]) => new Array<string>(count).fill(role))
    const members: { ticket: number; seat: number; wishes: Wish }[] = []
    tickets.forEach(({ players }: { players: readonly TicketPlayer[] }, ticket) => {
      if (teamOf[ticket] !== team) return
      players.forEach((_, seat) => {
        members.push({ ticket, seat, wishes: wishes[ticket]?.[seat] })
      })
    })
    if (members.length !== places.length) return undefined
    const simple = members.every((member) => member.wishes?.length === 1)
    const chosen = simple
      ? takeInOrder(places, members)
      : cheapestPlaces(members.map((member) => places.map((role) => costOf(member.wishes, role, format.fullSize + 1))))
    if (!chosen) return undefined
    cost += chosen.cost
    members.forEach(({ ticket, seat }, index) => {
      ;(seats[ticket] as RoleSeat[])[seat] = { team, role: places[chosen.places[index] as number] as string }
    })
  }
  return { seats, cost }
}
