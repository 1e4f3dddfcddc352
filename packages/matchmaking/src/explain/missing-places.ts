import type { MatchFormat, TeamFormat } from '../config/match-format'
import type { MissingPlace, Ticket } from '../types'
import { rolesOf } from '../verify/party'
import { RoleSeats } from '../verify/role-seats'

/** A team that is being filled; `seats` holds its seats by role where the team has roles. */
interface Room {
  readonly team: TeamFormat
  size: number
  seats: RoleSeats | undefined
}

/**
 * Returns the places that stay open after all parties were seated one by one, each party in the first team with enough
 * places. Yields after every party. After the caller passes true to `next`, no more parties are seated.
 */
export function* missingPlaces(
  format: MatchFormat,
  parties: readonly Ticket[],
): Generator<undefined, MissingPlace[], boolean | undefined> {
  const rooms = format.teams.map((team): Room => ({ team, size: 0, seats: team.roles && RoleSeats.of(team.roles) }))
  let open = format.fullSize
  for (const party of parties) {
    if (open === 0) break
    if (rooms.some((room) => sits(room, party))) open -= party.players.length
    const enough: boolean | undefined = yield
    if (enough) break
  }
  return rooms.flatMap(({ team, size, seats }) =>
    team.roles && seats ? openRoles(team.name, team.roles, seats) : openPlaces(team.name, null, team.max - size),
  )
}

function sits(room: Room, { players }: Ticket): boolean {
  if (room.size + players.length > room.team.max) return false
  // The party is seated in a copy of the team's seats. If one player gets no seat, the party gets no seat at all, and
  // the copy is dropped.
  const seats = room.seats?.copy()
  if (seats !== undefined && !players.every(({ state }) => seats.seat(rolesOf(state)))) return false
  room.seats = seats
  room.size += players.length
  return true
}

const openPlaces = (team: string, role: string | null, players: number): MissingPlace[] =>
  players > 0 ? [{ team, role, players }] : []

/**
 * Returns the open places of a team by role. The number for a role is the number of further players of that role alone
 * that the team could take, counted role after role.
 */
const openRoles = (team: string, roles: ReadonlyMap<string, number>, seats: RoleSeats): MissingPlace[] =>
  [...roles].flatMap(([role, count]) => {
    let open = 0
    while (open < count && seats.seat([role])) open++
    return openPlaces(team, role, open)
  })
