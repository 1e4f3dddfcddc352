import { DEFAULT_KEEP_SEAT_SECONDS, KEEP_SEAT_SECONDS } from '../../catalog/limits'
import { playerIdFault } from '../../catalog/player-id'
import type { CallOptions } from '../../commit/call-options'
import { ofMatch } from '../../commit/of-match'
import { change } from '../../commit/transact'
import type { ValidationIssue } from '../../errors/decision'
import { orThrow, validationFailed } from '../../errors/service-error'
import { decideFreeSeat, decideKeepSeat, isPlayingIn, mayJoinLate } from '../../match/kept-seats'
import type { Match } from '../../match/match'
import type { Service } from '../../node/service'
import type { InProject } from '../../project/in-project'
import { heldOf } from '../../reads/live-matches'
import { noSuchMatch, requireQueue } from '../../reads/require'
import { type Instant, SECOND_MS } from '../../shared/time'

/** Seat that a caller wants to keep for a player. */
export interface SeatWish {
  /** Player for whom the seat is kept. */
  readonly targetPlayerId: string
  /** Team of the seat. Absent: the team of the player who asks, or the team with the most open seats. */
  readonly team?: string | undefined
  /** Seconds for which the seat is kept, 5 to 120. Default: 30. */
  readonly holdSeconds?: number | undefined
}

export interface OnSeats extends InProject {
  /** Id of the match: `mat_` and a ULID. */
  readonly matchId: string
  /** Player who makes the call; absent for a backend that names no player, and for the game server. */
  readonly playerId?: string | undefined
  /** Whether the project's own backend, or the game server of the match, makes the call. */
  readonly backend: boolean
}

export interface KeepSeatInput extends OnSeats, SeatWish {}

/** Kept seat that is given up. */
export interface FreeSeatInput extends OnSeats {
  /** Player for whom the seat is kept. */
  readonly targetPlayerId: string
}

/** Seat that is kept for a player. */
export interface SeatOfPlayer {
  /** Player for whom the seat is kept. */
  readonly playerId: string
  /** Team of the seat. */
  readonly team: string
  /** Time at which the seat is free again. */
  readonly expiresAt: Instant
}

export async function keepSeat(ctx: Service, input: KeepSeatInput, call?: CallOptions): Promise<SeatOfPlayer> {
  const { projectId, targetPlayerId: playerId, backend, team, holdSeconds = DEFAULT_KEEP_SEAT_SECONDS } = input
  const issues = faultsOf(playerId, holdSeconds)
  if (issues.length > 0) throw validationFailed(issues)
  return change(
    ctx,
    ofMatch,
    input,
    async (match, draft) => {
      const by = askerIn(match, input)
      const queue = await requireQueue(ctx, projectId, match.queueId)
      orThrow(mayJoinLate(match, queue))
      draft.check('queue', queue)
      const held = match.holdsPlayers === true ? await heldOf(ctx, projectId, [playerId]) : []
      const { at } = draft
      return decideKeepSeat(match, { playerId, by, backend, team, held, expiresAt: at + holdSeconds * SECOND_MS, at })
    },
    { call, answer: (match, at) => seatOf(match, playerId, at) },
  )
}

export async function freeSeat(ctx: Service, input: FreeSeatInput, call?: CallOptions): Promise<void> {
  const { targetPlayerId: playerId, playerId: by, backend } = input
  const decide = (match: Match, { at }: { at: Instant }) => decideFreeSeat(match, { playerId, by, backend, at })
  await change(ctx, ofMatch, input, decide, { call, answer: () => null })
}

/**
 * Returns the player of the match who asks; undefined for a backend that names no player of the match. Throws MATCH_NOT_FOUND for another
 * player, because a player learns nothing about the matches of others.
 */
function askerIn(match: Match, { playerId, backend }: OnSeats): string | undefined {
  if (isPlayingIn(match, playerId)) return playerId
  return backend ? undefined : noSuchMatch(match.id)
}

function faultsOf(playerId: string, holdSeconds: number): ValidationIssue[] {
  const { min, max } = KEEP_SEAT_SECONDS
  const fault = playerIdFault(playerId)
  const isRight = Number.isInteger(holdSeconds) && holdSeconds >= min && holdSeconds <= max
  return [
    ...(fault === undefined ? [] : [{ path: 'targetPlayerId', message: fault }]),
    ...(isRight ? [] : [{ path: 'holdSeconds', message: `must be a whole number from ${min} to ${max}` }]),
  ]
}

/** Returns the kept seat of a player. A seat that is gone by the time of a repeated call has expired now. */
function seatOf({ keptSeats = [] }: Match, playerId: string, at: Instant): SeatOfPlayer {
  const seat = keptSeats.find((one) => one.playerId === playerId)
  return { playerId, team: seat?.team ?? '', expiresAt: seat?.expiresAt ?? at }
}
