import { fullTeams } from '@matchyard/matchmaking'
import type { Queue } from '../queue/queue'
import type { KeptSeat, Match, MatchPlayer, MatchTeam, OpenSeats, TeamSeats } from './match'

/** Returns the seats of a match of full size, by the queue's settings; empty when the queue has no matchmaking. */
export const seatsOfQueue = ({ matchmaking }: Queue): readonly TeamSeats[] =>
  matchmaking === null ? [] : fullTeams(matchmaking)

/**
 * Returns the seats of the match at full size. A match from an earlier release has no stored seats; then the present settings of the queue
 * apply.
 */
export const seatsOf = (match: Match, queue: Queue): readonly TeamSeats[] => match.seats ?? seatsOfQueue(queue)

export const stillPlays = ({ leftAt }: MatchPlayer): boolean => leftAt === null

/** Returns the open seats of each team. Seats are open when the match was made below its full size, or when players have left. */
export function openSeatsOf({ teams }: Pick<Match, 'teams'>, full: readonly TeamSeats[]): OpenSeats[] {
  return full.flatMap(({ name, seats, roles }) => {
    const playing = teams.find((team) => team.name === name)?.players.filter(stillPlays) ?? []
    return openIn({ name, open: seats, roles }, playing)
  })
}

/** Returns the open seats that are kept for nobody. New players from the queue may take only these. */
export const freeSeatsOf = (
  match: Pick<Match, 'teams' | 'keptSeats'>,
  full: readonly TeamSeats[],
): readonly OpenSeats[] =>
  openSeatsOf(match, full).flatMap((team) => openIn(team, keptIn(match.keptSeats ?? [], team.name)))

const keptIn = (kept: readonly KeptSeat[], name: string) => kept.filter(({ team }) => team === name)

/** Returns those of the requested seats that are among the given open seats. */
export const seatsAmong = (requested: readonly OpenSeats[], open: readonly OpenSeats[]): OpenSeats[] =>
  requested.flatMap((team) => {
    const there = open.find(({ name }) => name === team.name)
    if (there === undefined) return []
    if (team.roles === null || there.roles === null) return [{ ...team, open: Math.min(team.open, there.open) }]
    const roles = Object.entries(team.roles).flatMap(([role, seats]) => {
      const both = Math.min(seats, there.roles?.[role] ?? 0)
      return both > 0 ? [[role, both] as const] : []
    })
    const total = roles.reduce((sum, [, seats]) => sum + seats, 0)
    return total > 0 ? [{ name: team.name, open: total, roles: Object.fromEntries(roles) }] : []
  })

/** Returns the open seats that remain after new players took theirs. */
export const takenFrom = (open: readonly OpenSeats[], newcomers: readonly MatchTeam[]): OpenSeats[] =>
  open.flatMap((team) => openIn(team, newcomers.find(({ name }) => name === team.name)?.players ?? []))

function openIn({ name, open, roles }: OpenSeats, seated: readonly Pick<MatchPlayer, 'role'>[]): OpenSeats[] {
  if (roles === null) return open > seated.length ? [{ name, open: open - seated.length, roles }] : []
  const left = Object.entries(roles).flatMap(([role, seats]) => {
    const free = seats - seated.filter((player) => player.role === role).length
    return free > 0 ? [[role, free] as const] : []
  })
  const total = left.reduce((sum, [, free]) => sum + free, 0)
  return total > 0 ? [{ name, open: total, roles: Object.fromEntries(left) }] : []
}

/** Whether all new players find open seats with their roles. */
export const fitsInto = (open: readonly OpenSeats[], newcomers: readonly MatchTeam[]): boolean =>
  newcomers.every(({ name, players }) => {
    const team = open.find((one) => one.name === name)
    if (team === undefined || players.length > team.open) return players.length === 0
    const { roles } = team
    if (roles === null) return true
    return players.every(({ role }) => {
      const seats = role === null ? 0 : (roles[role] ?? 0)
      return players.filter((other) => other.role === role).length <= seats
    })
  })

/** Returns `count` of a team's open seats. With roles, the first open seats in the team's order of roles are taken. */
export function someOf({ name, open, roles }: OpenSeats, count: number): OpenSeats {
  if (roles === null || count >= open) return { name, open: Math.min(count, open), roles }
  let left = count
  const taken = Object.entries(roles).flatMap(([role, seats]) => {
    const some = Math.min(left, seats)
    left -= some
    return some > 0 ? [[role, some] as const] : []
  })
  return { name, open: count, roles: Object.fromEntries(taken) }
}

/** Returns the match with only those kept seats that `stays` accepts. */
export function withSeats(match: Match, stays: (seat: KeptSeat) => boolean): Match {
  const { keptSeats, ...rest } = match
  const kept = keptSeats?.filter(stays) ?? []
  return kept.length === 0 ? rest : { ...rest, keptSeats: kept }
}
