import type { Match, MatchTeam } from './match'
import { withNewcomers } from './roster'
import { freeSeatsOf, openSeatsOf, seatsAmong, takenFrom, withSeats } from './seats'

export function withoutRequest(match: Match): Match {
  const { backfill: _, ...rest } = match
  return rest
}

/** Returns the match without its request for players and without kept seats. */
export function asksForNobody(match: Match): Match {
  const { keptSeats: _, ...rest } = withoutRequest(match)
  return rest
}

/** Returns the match without the seats that are kept for players of these teams. */
export function withoutSeatsOf(match: Match, teams: readonly MatchTeam[]): Match {
  const players = new Set(teams.flatMap((team) => team.players.map(({ playerId }) => playerId)))
  return withSeats(match, ({ playerId }) => !players.has(playerId))
}

/** Returns the match after a player took the seat that was kept for them; `team` has only this player. */
export const seatTaken = (match: Match, team: MatchTeam): Match =>
  withNewcomers(
    withoutSeatsOf(match, [team]),
    [team],
    team.players.map(({ lobbyId }) => lobbyId),
  )

/** Returns the match without the requested seats that new players took. A request without remaining seats is removed. */
export function shrunk(match: Match, newcomers: readonly MatchTeam[]): Match {
  if (match.backfill === undefined) return match
  const { wanted, teams: requested, ...request } = match.backfill
  const teams = takenFrom(wanted ?? requested, newcomers)
  return teams.length === 0 ? withoutRequest(match) : { ...match, backfill: { ...request, teams } }
}

/**
 * Returns the match with a request for those seats only that are kept for nobody. The request remembers the kept seats that it wanted, and
 * asks for them again when they are freed. A request of which all seats are taken is removed.
 */
export function withRequestedSeats(match: Match): Match {
  const { backfill, keptSeats, seats } = match
  if (backfill === undefined || seats === undefined) return match
  if (keptSeats === undefined && backfill.wanted === undefined) return match
  const { wanted: before, teams: requested, ...request } = backfill
  const wanted = seatsAmong(before ?? requested, openSeatsOf(match, seats))
  if (wanted.length === 0) return withoutRequest(match)
  const teams = seatsAmong(wanted, freeSeatsOf(match, seats))
  const isKept = countOf(teams) < countOf(wanted)
  return { ...match, backfill: isKept ? { ...request, teams, wanted } : { ...request, teams: wanted } }
}

const countOf = (teams: readonly { readonly open: number }[]): number => teams.reduce((sum, { open }) => sum + open, 0)
