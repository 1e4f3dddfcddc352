import { BACKFILL_SECONDS } from '../catalog/limits'
import { accept, type Decision, reject, rejectInvalid, type ValidationIssue } from '../errors/decision'
import type { JsonObject } from '../shared/json'
import { type Instant, SECOND_MS } from '../shared/time'
import type { MatchEvent } from './events'
import { evolveMatch } from './evolve'
import { isDirectStart, type Match, type MatchTeam, type MatchWait, type OpenSeats, type TeamSeats } from './match'
import { fitsInto, freeSeatsOf, openSeatsOf, someOf, stillPlays } from './seats'

/** Request of a running match for new players, as a caller sends it. */
export interface BackfillWish {
  /** Requested seats. Absent: every open seat. */
  readonly teams?: readonly WantedSeats[] | undefined
  /** New states of players in the match. Each state replaces the player's earlier state, and rules compare new players with it. */
  readonly players?:
    | readonly {
        /** Player of the match. */
        readonly playerId: string
        /** New state of the player in the match: at most 16 KiB of JSON and 16 levels. The player's lobby does not change. */
        readonly state: JsonObject
      }[]
    | undefined
  /** Seconds for which the request searches for players, 5 to 3,600. */
  readonly timeoutSeconds?: number | undefined
}

/** Requested seats of one team. With roles, the first open seats in the team's order of roles are requested. */
export interface WantedSeats {
  /** Name of the team. */
  readonly name: string
  /** Number of seats to fill, at least 1. */
  readonly open: number
}

/** Input of a decision about open seats, besides the match itself. */
export interface Seating {
  /** Seats of the match at its full size. */
  readonly full: readonly TeamSeats[]
  /** Id of the ticket row that stores a new backfill request. */
  readonly ticketId: string
  /** Seconds for which a request searches for players, by the queue's settings. */
  readonly timeoutSeconds: number
  readonly at: Instant
}

/** Whether the match accepts new players: it runs, the director made it, and it was not closed. */
export const takesNewcomers = (match: Match): boolean =>
  match.status === 'running' && !isDirectStart(match) && match.closedAt === undefined

/** Rejects with INVALID_MATCH_STATE, and with the reason, when a match does not accept new players. */
export function mayTakeNewcomers(match: Match): Decision<never> {
  const not = (why: string) => reject('INVALID_MATCH_STATE', `${match.id} ${why}`, { status: match.status })
  if (match.status !== 'running') return not(`is ${match.status}; players can be added only to a running match`)
  if (isDirectStart(match)) return not('was started without matchmaking, so no players can be added from the queue')
  return match.closedAt === undefined ? accept() : not('is closed: it takes no more players')
}

/**
 * Requests new players. The request replaces an open request of the match and keeps its age. Rejects with INVALID_MATCH_STATE. Rejects with
 * VALIDATION_FAILED when `wish` requests more seats than are open, a team that the match does not have, or names a player who is not in the
 * match.
 */
export function decideRequestBackfill(match: Match, wish: BackfillWish, seating: Seating): Decision<MatchEvent> {
  const allowed = mayTakeNewcomers(match)
  if (!allowed.ok) return allowed
  const free = freeSeatsOf(match, seating.full)
  const issues = [...seatFaults(free, seating.full, wish.teams), ...playerFaults(match, wish.players ?? [])]
  if (issues.length > 0) return rejectInvalid(issues)
  // A request for all open seats includes those that are kept now: it asks for them when they are freed.
  const teams =
    wish.teams?.flatMap(({ name, open: count }) =>
      free.filter((team) => team.name === name).map((team) => someOf(team, count)),
    ) ?? openSeatsOf(match, seating.full)
  if (free.length === 0) {
    return reject('INVALID_MATCH_STATE', `${match.id} is full: it has no open seat`, { status: match.status })
  }
  const request = requestOf(match, teams, { ...seating, timeoutSeconds: wish.timeoutSeconds ?? seating.timeoutSeconds })
  const { players = [] } = wish
  return accept<MatchEvent>(
    ...(players.length > 0 ? [{ type: 'match_states_changed', players } as const] : []),
    request,
  )
}

const requestOf = (
  match: Match,
  teams: readonly OpenSeats[],
  { ticketId, timeoutSeconds, at }: Seating,
): MatchEvent => ({
  type: 'backfill_requested',
  request: {
    ticketId: match.backfill?.ticketId ?? ticketId,
    teams,
    requestedAt: match.backfill?.requestedAt ?? at,
    expiresAt: at + timeoutSeconds * SECOND_MS,
  },
})

function seatFaults(
  open: readonly OpenSeats[],
  full: readonly TeamSeats[],
  wanted: readonly WantedSeats[] | undefined,
): ValidationIssue[] {
  if (wanted === undefined) return []
  if (wanted.length === 0)
    return [{ path: 'teams', message: 'must name at least one team; omit teams to request players for all open seats' }]
  return wanted.flatMap(({ name, open: count }, index) => {
    const fault = (field: string, message: string) => [{ path: `teams.${index}.${field}`, message }]
    if (full.every((team) => team.name !== name)) {
      return fault('name', `is not a team of the match; its teams are ${full.map((team) => team.name).join(', ')}`)
    }
    if (wanted.findIndex((other) => other.name === name) < index) return fault('name', 'appears twice')
    const free = open.find((team) => team.name === name)?.open ?? 0
    if (!Number.isInteger(count) || count < 1) return fault('open', 'must be a whole number, at least 1')
    return count > free ? fault('open', `exceeds the open seats: team ${name} has ${free}`) : []
  })
}

function playerFaults(match: Match, players: NonNullable<BackfillWish['players']>): ValidationIssue[] {
  const playing = new Set(
    match.teams.flatMap((team) => team.players.filter(stillPlays).map(({ playerId }) => playerId)),
  )
  return players.flatMap(({ playerId }, index) =>
    playing.has(playerId) ? [] : [{ path: `players.${index}.playerId`, message: 'is not a player of this match' }],
  )
}

/** Returns the faults of a timeout that a caller sent, or that a queue's developer set. */
export const timeoutFaults = (timeoutSeconds: number | undefined, path: string): ValidationIssue[] => {
  const { min, max } = BACKFILL_SECONDS
  if (timeoutSeconds === undefined) return []
  const isRight = Number.isInteger(timeoutSeconds) && timeoutSeconds >= min && timeoutSeconds <= max
  return isRight ? [] : [{ path, message: `must be a whole number from ${min} to ${max}` }]
}

/** Rejects a call about the backfill request of a match that has no request. */
export const noRequest = (match: Match) => reject('BACKFILL_NOT_FOUND', `${match.id} has no request for players`)

/** Ends the backfill request of a match. Rejects with BACKFILL_NOT_FOUND. */
export const decideCancelBackfill = (match: Match): Decision<MatchEvent> =>
  match.backfill === undefined ? noRequest(match) : accept({ type: 'backfill_ended' })

/** Closes the match to new players until its end. A repeated call changes nothing, and neither does a call after the end. */
export const closeMatch = (match: Match, at: Instant): MatchEvent[] =>
  match.closedAt === undefined && match.endedAt === null ? [{ type: 'match_closed', at }] : []

/** Whether these events may leave open seats for which no request searches, in a match that accepts new players. */
export function leavesSeats(match: Match, events: readonly MatchEvent[]): boolean {
  const opens = ({ type }: MatchEvent) =>
    type === 'match_started' || type === 'match_player_left' || type === 'match_lobby_left'
  const after = events.reduce(evolveMatch, match)
  // When a request for some of the open seats is filled, the other seats stay open.
  const isFilled =
    match.backfill !== undefined && events.some(({ type }) => type === 'match_filled' || type === 'seat_taken')
  if (!events.some(opens) && !(isFilled && after.backfill === undefined)) return false
  return takesNewcomers(after) && (after.seats === undefined || openSeatsOf(after, after.seats).length > 0)
}

/** Returns an automatic backfill request for all seats that are open after these events; no event when no seat is open. */
export function askForAll(match: Match, events: readonly MatchEvent[], seating: Seating): MatchEvent[] {
  const after = events.reduce(evolveMatch, match)
  const open = takesNewcomers(after) ? openSeatsOf(after, seating.full) : []
  return open.length === 0 ? [] : [requestOf(after, open, seating)]
}

/**
 * Ends a backfill request when its time is over, or when its match accepts no more new players. With `seating`, for a queue with automatic
 * requests, the request is renewed for all open seats and keeps its age.
 */
export function decideExpireBackfill(match: Match, at: Instant, seating: Seating | undefined): MatchEvent[] {
  const { backfill } = match
  if (backfill === undefined || (backfill.expiresAt > at && takesNewcomers(match))) return []
  const goesOn = seating === undefined ? [] : askForAll(match, [], seating)
  return goesOn.length > 0 ? goesOn : [{ type: 'backfill_ended' }]
}

/** New players that the director chose for a request. */
export interface Fill {
  readonly requestId: string
  readonly lobbyIds: readonly string[]
  /** Teams of the match, with only the new players. */
  readonly teams: readonly MatchTeam[]
  readonly waits: readonly MatchWait[]
}

/**
 * Puts new players into open seats. Rejects with INVALID_MATCH_STATE when the request no longer exists, a seat is taken, or a new player is
 * already in the match.
 */
export function fillMatch(match: Match, { requestId, ...fill }: Fill): Decision<MatchEvent> {
  const allowed = mayTakeNewcomers(match)
  if (!allowed.ok) return allowed
  const not = (why: string) => reject('INVALID_MATCH_STATE', `${match.id} ${why}`, { status: match.status })
  if (match.backfill?.ticketId !== requestId) return not('no longer has this request for players')
  if (!fitsInto(match.backfill.teams, fill.teams)) return not('has not enough open seats for these players')
  const playing = match.teams.flatMap(({ players }) => players.filter(stillPlays))
  const newcomers = fill.teams.flatMap(({ players }) => players)
  const ids = [...playing, ...newcomers].map(({ playerId }) => playerId)
  if (new Set(ids).size !== ids.length) return not('would then have the same player twice')
  return accept({ type: 'match_filled', ...fill })
}
