import type { Region } from '../catalog/regions'
import { accept, type Decision, reject, rejectAddressed } from '../errors/decision'
import type { Ending } from '../lobby/last-exit'
import type { Lobby } from '../lobby/lobby'
import type { Instant } from '../shared/time'
import type { Assignment } from './assignment'
import type { MatchEvent } from './events'
import { canMoveMatch } from './evolve'
import type { Match, MatchEnding, MatchPlayer, MatchTeam, MatchWait, TeamSeats } from './match'

/** Properties of a new match, decided by the engine or by a host who starts directly. */
export interface MatchDesign {
  readonly id: string
  readonly projectId: string
  readonly accountId: string
  readonly queueId: string
  /** Longest waiting first. */
  readonly lobbies: readonly Lobby[]
  readonly teams: readonly MatchTeam[]
  readonly region: Region
  /** The version that the players share, where the queue asks for one. */
  readonly gameVersion: string | null
  readonly waits: readonly MatchWait[]
  readonly serverId: string | null
  /** How long it may run; left out on a server of the service, and where it may for ever. */
  readonly ttlSeconds?: number
  /** Seats of a full match of the queue; absent for a direct start. */
  readonly seats?: readonly TeamSeats[]
  /** Until when its server must be told, where the studio brings it. */
  readonly assignBy?: Instant
  readonly trace?: string
  readonly at: Instant
}

/** A match on its way to the game, with the longest-waiting lobby's settings. */
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

/** Begins a match whose server runs or which needs none. A match that has begun or ended is not changed. */
export const decideBeginMatch = (match: Match, at: Instant): MatchEvent[] =>
  canMoveMatch(match, 'begin') ? [{ type: 'match_started', at }] : []

/**
 * The studio's backend tells where the match is played, or that it is played elsewhere now; the same again changes nothing.
 * Rejects INVALID_MATCH_STATE.
 */
export function decideAssignServer(match: Match, assignment: Assignment, at: Instant): Decision<MatchEvent> {
  if (canMoveMatch(match, 'accept')) return notNow(match, 'is only proposed: its players are being asked')
  if (match.external === undefined) {
    return notNow(match, 'is not played on a server of your own: its queue\'s server settings had no source "external"')
  }
  if (!canMoveMatch(match, 'end')) return notNow(match, 'has ended')
  // Text by text: another order of the keys in what is the caller's own is another value.
  if (JSON.stringify(match.external.assignment) === JSON.stringify(assignment)) return accept()
  return accept<MatchEvent>({ type: 'match_assigned', assignment }, ...decideBeginMatch(match, at))
}

const notNow = (match: Match, why: string) =>
  reject('INVALID_MATCH_STATE', `${match.id} ${why}`, { status: match.status })

/** Whether players may still come to its server. Rejects INVALID_MATCH_STATE. */
export const takesPlayers = (match: Match): Decision<never> =>
  canMoveMatch(match, 'end') ? accept() : notNow(match, 'has ended')

/** Whether the studio's backend is still to tell where it is played. One that began, or is over, is let be. */
export const awaitsAssignment = (match: Match): boolean => match.external !== undefined && canMoveMatch(match, 'begin')

/** Ends it for all who are still in it; a match that is over stays as it ended. */
export const decideEndMatch = (match: Match, ending: Ending & Partial<MatchEnding>, at: Instant): MatchEvent[] =>
  canMoveMatch(match, 'end')
    ? [{ type: 'match_ended', ending: { exitCode: null, exitSignal: null, ...ending }, at }]
    : []

/** Players of a lobby leave, or the lobby with all of them; with its last lobby the match is over (docs/http-api.md §6). */
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
    ...(isLast ? decideEndMatch(match, { reason: 'player_left', detail: 'all its lobbies are gone' }, at) : []),
  ]
}

/** Whether lobbies that come to it go on to the game at once: it runs. */
export const isOn = (match: Match): boolean => match.status === 'running'

/**
 * Where a player sits whom the game says to have left; nowhere where they left before, or all did, because the match is over. Rejects
 * PLAYER_NOT_IN_LOBBY for who was never in it.
 */
export function seatOf(match: Match, playerId: string): Decision<MatchPlayer> {
  const seats = match.teams.flatMap(({ players }) => players.filter((player) => player.playerId === playerId))
  if (seats.length === 0) {
    return rejectAddressed('PLAYER_NOT_IN_LOBBY', `there is no player ${JSON.stringify(playerId)} in ${match.id}`)
  }
  return accept(...seats.filter(({ leftAt }) => leftAt === null && match.endedAt === null))
}

/** The host of a lobby may end a match in which nobody else's lobby plays; any other is the backend's to end (docs/http-api.md §6). */
export function mayEndMatch(match: Match, { backend }: { backend: boolean }): Decision<never> {
  if (backend || match.lobbyIds.length <= 1) return accept()
  return reject('NOT_HOST', `the caller's lobby shares ${match.id} with other lobbies; the backend ends it`)
}

/** Removes a player's id and state from a match, also from a running one: the player has left its lobby before. */
export const decideErasePlayer = (match: Match, playerId: string): MatchEvent[] =>
  match.teams.some(({ players }) => players.some((player) => player.playerId === playerId))
    ? [{ type: 'match_player_erased', playerId }]
    : []
