import type { MatchFormat, TeamFormat } from '../config/match-format'
import type { MissingPlace, Ticket } from '../types'
import { rolesOf } from '../verify/party'
import { RoleSeats } from '../verify/role-seats'

/** A team that fills up; `seats` where it has roles. */
interface Room {
  readonly team: TeamFormat
  size: number
  seats: RoleSeats | undefined
}

/**
 * Returns the open places after the parties are seated one after the other, each in its first fit. Yields after every party; passed true, it
 * seats no more of them.
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
  // Tried on a copy: a party sits whole or not at all.
  const seats = room.seats?.copy()
  if (seats !== undefined && !players.every(({ state }) => seats.seat(rolesOf(state)))) return false
  room.seats = seats
  room.size += players.length
  return true
}

const openPlaces = (team: string, role: string | null, players: number): MissingPlace[] =>
  players > 0 ? [{ team, role, players }] : []

/** A role is open as often as the team can still be seated with that many more players of it, taken role by role. */
const openRoles = (team: string, roles: ReadonlyMap<string, number>, seats: RoleSeats): MissingPlace[] =>
  [...roles].flatMap(([role, count]) => {
    let open = 0
    while (open < count && seats.seat([role])) open++
    return openPlaces(team, role, open)
  })
