import { accept, type Decision, reject, rejectInvalid } from '../errors/decision'
import { spokenField } from '../errors/spoken-names'
import type { Lobby } from '../lobby/lobby'
import { asQueued } from '../lobby/queue-ticket'
import type { Queue } from '../queue/queue'
import type { Instant } from '../shared/time'
import { mayTakeNewcomers } from './backfill'
import type { MatchEvent } from './events'
import { evolveMatch } from './evolve'
import type { KeptSeat, Match, OpenSeats } from './match'
import { asHeld, type HeldPlayer, mayTakeSeat } from './one-match'
import { freeSeatsOf, someOf, stillPlays } from './seats'

/** Rejects with INVALID_MATCH_STATE when players cannot join the match by a kept seat. */
export function mayJoinLate(match: Match, queue: Queue): Decision<never> {
  const allowed = mayTakeNewcomers(match)
  if (!allowed.ok || queue.matchmaking?.lateJoin === true) return allowed
  const setting = spokenField('matchmaking.lateJoin')
  const detail = `${match.id} takes no friends of its players: ${setting} of queue ${queue.queueId} is false`
  return reject('INVALID_MATCH_STATE', detail, { status: match.status })
}

/** Whether the player is in the match and has not left it. */
export const isPlayingIn = ({ teams }: Match, playerId: string | undefined): boolean =>
  teams.some(({ players }) => players.some((player) => player.playerId === playerId && stillPlays(player)))

export interface KeepSeat {
  /** Player for whom the seat is kept. */
  readonly playerId: string
  /** Player of the match who asks; undefined for a backend and for the game server. */
  readonly by: string | undefined
  /** Whether the caller may learn in which match a player is. */
  readonly backend: boolean
  /** Absent: the team of the player who asks, or the team with the most open seats. */
  readonly team?: string | undefined
  /** Whether another live match holds the player. */
  readonly held: readonly HeldPlayer[]
  readonly expiresAt: Instant
  readonly at: Instant
}

/**
 * Keeps an open seat for a player. The new seat replaces the seat that is kept for the same player, and the seat that the same player asked
 * for. Rejects with VALIDATION_FAILED for a team that the match does not have, with PLAYER_IN_MATCH, and with MATCH_FULL.
 */
export function decideKeepSeat(match: Match, wish: KeepSeat): Decision<MatchEvent> {
  const { seats = [], keptSeats = [] } = match
  const { playerId, by = null, held, expiresAt, at } = wish
  if (wish.team !== undefined && seats.every(({ name }) => name !== wish.team)) {
    const teams = seats.map(({ name }) => name).join(', ')
    return rejectInvalid([{ path: 'team', message: `is not a team of the match; its teams are ${teams}` }])
  }
  const isHere = isPlayingIn(match, playerId)
  const allowed = mayTakeSeat(isHere ? [asHeld(match, playerId)] : held, wish)
  if (!allowed.ok) return allowed
  const freed = keptSeats
    .filter((seat) => seat.playerId === playerId || (by !== null && seat.keptBy === by) || seat.expiresAt <= at)
    .map((seat): MatchEvent => ({ type: 'seat_freed', playerId: seat.playerId }))
  const found = choose(match, freeSeatsOf(freed.reduce(evolveMatch, match), seats), wish)
  if (found === undefined) {
    return reject('MATCH_FULL', `${match.id} has no open seat${wish.team === undefined ? '' : ` in ${wish.team}`}`)
  }
  const [role = null] = Object.keys(someOf(found, 1).roles ?? {})
  return accept<MatchEvent>(...freed, {
    type: 'seat_kept',
    seat: { playerId, team: found.name, role, keptBy: by, expiresAt },
  })
}

/** Returns the team in which a seat is kept; undefined when the wanted team, or the whole match, has no open seat. */
function choose(match: Match, open: readonly OpenSeats[], { playerId, by, team }: KeepSeat): OpenSeats | undefined {
  const named = (name: string | undefined) => open.find((one) => one.name === name)
  if (team !== undefined) return named(team)
  const own = match.teams.find(({ players }) =>
    players.some((player) => player.playerId === by && stillPlays(player)),
  )?.name
  const kept = match.keptSeats?.find((seat) => seat.playerId === playerId)?.team
  return (
    named(own) ?? named(kept) ?? open.reduce((most, one) => (one.open > most.open ? one : most), open[0] as OpenSeats)
  )
}

/** Rejects with SEAT_NOT_FOUND a call about the kept seat of a player for whom no seat is kept. */
const noSeat = (match: Match, playerId: string) =>
  reject('SEAT_NOT_FOUND', `${match.id} keeps no seat for player ${JSON.stringify(playerId)}`)

const keptFor = ({ keptSeats = [] }: Match, playerId: string, at: Instant): KeptSeat | undefined =>
  keptSeats.find((seat) => seat.playerId === playerId && seat.expiresAt > at)

/**
 * Frees a kept seat. The player who asked for the seat, the player for whom it is kept, and a backend may do this. Rejects with
 * SEAT_NOT_FOUND.
 */
export function decideFreeSeat(
  match: Match,
  { playerId, by, backend, at }: { playerId: string; by: string | undefined; backend: boolean; at: Instant },
): Decision<MatchEvent> {
  const seat = keptFor(match, playerId, at)
  if (seat === undefined) return noSeat(match, playerId)
  if (!backend && by !== seat.playerId && by !== seat.keptBy) return noSeat(match, playerId)
  return accept({ type: 'seat_freed', playerId })
}

/** Frees the kept seats whose time is over. */
export const decideExpireSeats = ({ keptSeats = [] }: Match, at: Instant): MatchEvent[] =>
  keptSeats.flatMap(({ playerId, expiresAt }) => (expiresAt <= at ? [{ type: 'seat_freed', playerId }] : []))

/** Returns the instant at which the next kept seat expires; undefined without kept seats. */
export const nextExpiryOf = ({ keptSeats = [] }: Match): Instant | undefined =>
  keptSeats.length === 0 ? undefined : Math.min(...keptSeats.map(({ expiresAt }) => expiresAt))

/** Rejects with SEAT_NOT_FOUND a lobby of another queue: no seat of the match is kept for its players. */
export const isOfQueue = (match: Match, lobby: Lobby): Decision<never> =>
  lobby.queueId === match.queueId ? accept() : noSeat(match, lobby.hostPlayerId)

/** Gives the only player of a lobby the seat that is kept for them. Rejects with SEAT_NOT_FOUND. */
export function decideTakeSeat(match: Match, lobby: Lobby, at: Instant): Decision<MatchEvent> {
  const { id: lobbyId, hostPlayerId: playerId, players } = lobby
  const seat = keptFor(match, playerId, at)
  if (seat === undefined) return noSeat(match, playerId)
  const { team, role } = seat
  const [only] = players
  const seated = only === undefined ? { playerId, state: {} } : asQueued(only)
  const player = { ...seated, lobbyId, role, joinedAt: at, leftAt: null }
  return accept({ type: 'seat_taken', team, player })
}
