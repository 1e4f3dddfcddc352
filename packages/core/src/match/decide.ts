import type { Region } from '../catalog/regions'
import { accept, type Decision, reject, rejectAddressed } from '../errors/decision'
import { spokenField } from '../errors/spoken-names'
import type { Ending } from '../lobby/last-exit'
import type { Lobby } from '../lobby/lobby'
import type { MatchQuality } from '../rating/predict'
import type { Instant } from '../shared/time'
import type { Assignment } from './assignment'
import type { MatchEvent } from './events'
import { canMoveMatch } from './evolve'
import {
  isDirectStart,
  type Match,
  type MatchBuild,
  type MatchEnding,
  type MatchPlayer,
  type MatchTeam,
  type MatchWait,
  type TeamSeats,
} from './match'

/** Properties of a new match. The matchmaking engine decides them, or a host who starts a match directly. */
export interface MatchDesign {
  readonly id: string
  readonly projectId: string
  readonly accountId: string
  readonly queueId: string
  /** Lobbies of the match, the longest waiting first. */
  readonly lobbies: readonly Lobby[]
  readonly teams: readonly MatchTeam[]
  readonly region: Region
  /** Game version that the players share, when the queue uses game versions; else null. */
  readonly gameVersion: string | null
  readonly waits: readonly MatchWait[]
  readonly serverId: string | null
  /**
   * Maximum seconds that the match may run. Absent when the service runs the server of the match, and when the match may run without limit.
   */
  readonly ttlSeconds?: number
  /** Present when a player of the match cannot be in another such match; see `Match.holdsPlayers`. */
  readonly holdsPlayers?: true
  /** How even the match is by the ratings of its players; absent without a rating. */
  readonly quality?: MatchQuality
  /** Seats of the match at full size, by the queue; absent for a direct start. */
  readonly seats?: readonly TeamSeats[]
  /** Deadline by which the studio's backend must assign a server; absent for other matches. */
  readonly assignBy?: Instant
  readonly trace?: string
  readonly at: Instant
}

/** Returns a new match in `launching`, with the settings of the longest-waiting lobby. */
export function findMatch({ at, lobbies, assignBy, ...design }: MatchDesign): Match {
  return {
    ...design,
    ...(assignBy === undefined ? {} : { external: { assignBy, assignment: null } }),
    version: 1,
    status: 'launching',
    lobbyIds: lobbies.map((lobby) => lobby.id),
    settings: lobbies[0]?.settings ?? {},
    createdAt: at,
    endedAt: null,
  }
}

/** Begins a match whose server runs, or which needs no server. A match that has begun or ended is not changed. */
export const decideBeginMatch = (match: Match, at: Instant, build?: MatchBuild): MatchEvent[] =>
  canMoveMatch(match, 'begin') ? [{ type: 'match_started', at, ...(build && { build }) }] : []

/**
 * Sets or changes the server that the studio's backend assigns to a match. A repetition of the same assignment changes nothing. Rejects
 * with INVALID_MATCH_STATE.
 */
export function decideAssignServer(match: Match, assignment: Assignment, at: Instant): Decision<MatchEvent> {
  const made = wasMade(match)
  if (!made.ok) return made
  if (match.external === undefined) {
    return notNow(
      match,
      `is not played on your own server: ${spokenField('serverSettings.source')} of its queue was not "external" when the match was made`,
    )
  }
  if (!canMoveMatch(match, 'end')) return notNow(match, 'has ended')
  // The JSON texts are compared, because `customData` is stored unchanged: another order of its keys is another value.
  if (JSON.stringify(match.external.assignment) === JSON.stringify(assignment)) return accept()
  return accept<MatchEvent>({ type: 'match_assigned', assignment }, ...decideBeginMatch(match, at))
}

const notNow = (match: Match, why: string) =>
  reject('INVALID_MATCH_STATE', `${match.id} ${why}`, { status: match.status })

/** Decides whether players may still join the match's server. Rejects with INVALID_MATCH_STATE when the match has ended. */
export const takesPlayers = (match: Match): Decision<never> =>
  canMoveMatch(match, 'end') ? accept() : notNow(match, 'has ended')

/** Whether the match waits for a server from the studio's backend: false for a match that has begun or ended. */
export const awaitsAssignment = (match: Match): boolean => match.external !== undefined && canMoveMatch(match, 'begin')

/** Rejects with INVALID_MATCH_STATE a match that is only proposed to its players. */
export const wasMade = (match: Match): Decision<never> =>
  canMoveMatch(match, 'accept') ? notNow(match, 'is only proposed: its players have not accepted it yet') : accept()

/** Ends the match for all its lobbies. A match that has ended is not changed. */
export const decideEndMatch = (
  match: Match,
  ending: Ending & Partial<MatchEnding>,
  at: Instant,
  build?: MatchBuild,
): MatchEvent[] =>
  canMoveMatch(match, 'end')
    ? [{ type: 'match_ended', ending: { exitCode: null, exitSignal: null, ...ending }, at, ...(build && { build }) }]
    : []

/** Removes some players of a lobby, or the whole lobby, from the match. The match ends when its last lobby leaves (docs/http-api.md §6). */
export function leaveMatch(
  match: Match,
  command: { lobbyId: string; playerIds: readonly string[]; lobbyGone: boolean; at: Instant },
): MatchEvent[] {
  const { lobbyId, playerIds, lobbyGone, at } = command
  const left: MatchEvent[] = playerIds.map((playerId) => ({ type: 'match_player_left', lobbyId, playerId, at }))
  if (!lobbyGone) return left
  const isLast = match.lobbyIds.every((id) => id === lobbyId)
  return [
    ...left,
    { type: 'match_lobby_left', lobbyId, at },
    ...(isLast ? decideEndMatch(match, { reason: 'player_left', detail: 'all its lobbies have ended' }, at) : []),
  ]
}

/**
 * Whether this end of a match is a failed launch: its server never ran, and could not be launched or found no capacity. The players of such
 * a match may be put back into their queue.
 */
export const isFailedLaunch = (match: Match, { reason }: Ending): boolean =>
  match.status === 'launching' && !isDirectStart(match) && (reason === 'launch_failed' || reason === 'no_room')

/** Whether leaving the match can have a penalty: the match runs, has no result yet, and was not started directly. */
export const bindsPlayers = (match: Match): boolean =>
  match.status === 'running' && !isDirectStart(match) && match.result === undefined

/** Whether the match runs. Lobbies that join a running match enter the game at once. */
export const isOn = (match: Match): boolean => match.status === 'running'

/**
 * Returns the seat of a player whom the game reports as gone. Returns no seat when the player left before, or when the match has ended.
 * Rejects with PLAYER_NOT_IN_LOBBY when the player was never in the match.
 */
export function seatOf(match: Match, playerId: string): Decision<MatchPlayer> {
  const seats = match.teams.flatMap(({ players }) => players.filter((player) => player.playerId === playerId))
  if (seats.length === 0) {
    return rejectAddressed('PLAYER_NOT_IN_LOBBY', `there is no player ${JSON.stringify(playerId)} in ${match.id}`)
  }
  return accept(...seats.filter(({ leftAt }) => leftAt === null && match.endedAt === null))
}

/**
 * Rejects with NOT_HOST when the caller may not end the match. The backend may end any match. A host may end only a match that has no other
 * lobbies (docs/http-api.md §6).
 */
export function mayEndMatch(match: Match, { backend }: { backend: boolean }): Decision<never> {
  if (backend || match.lobbyIds.length <= 1) return accept()
  return reject('NOT_HOST', `other lobbies play in ${match.id} too, so only the backend may end it`)
}

/** Removes a player's id and state from a match, even while it runs. The player has left the lobby before. */
export const decideErasePlayer = (match: Match, playerId: string): MatchEvent[] =>
  match.teams.some(({ players }) => players.some((player) => player.playerId === playerId)) ||
  match.keptSeats?.some((seat) => seat.playerId === playerId || seat.keptBy === playerId) === true ||
  match.result?.players.some((player) => player.playerId === playerId) === true
    ? [{ type: 'match_player_erased', playerId }]
    : []
