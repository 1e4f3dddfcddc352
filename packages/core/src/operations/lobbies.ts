import type { CallOptions } from '../commit/call-options'
import { banPlayer, unbanPlayer } from '../use-cases/lobbies/ban-player'
import { browseLobbies } from '../use-cases/lobbies/browse-lobbies'
import { createLobby } from '../use-cases/lobbies/create-lobby'
import { deleteLobby } from '../use-cases/lobbies/delete-lobby'
import { getLobby } from '../use-cases/lobbies/get-lobby'
import { heartbeat } from '../use-cases/lobbies/heartbeat'
import { joinByCode, joinLobby } from '../use-cases/lobbies/join-lobby'
import { leaveLobby, removePlayer } from '../use-cases/lobbies/leave-lobby'
import { lobbiesOfPlayer } from '../use-cases/lobbies/lobbies-of-player'
import { lobbiesOfProject } from '../use-cases/lobbies/lobbies-of-project'
import type { QuickJoinInput } from '../use-cases/lobbies/quick-join-input'
import { renewInviteCode } from '../use-cases/lobbies/renew-invite-code'
import { updatePlayer } from '../use-cases/lobbies/update-player'
import { updateSettings } from '../use-cases/lobbies/update-settings'
import { PLAYERS } from './callers'
import { lobbyMatches } from './lobby-matches'
import { lobbyStreams } from './lobby-streams'
import { type CallsOf, embedded, operation } from './operation'
import type { Running } from './running'

/** Lobbies: players who gather, queue and play together. */
export const lobbies = {
  /**
   * Creates a lobby in `waiting` with the calling player as its host (specification, "Lobbies", rule 1). Rejects with
   * `PLAYER_BANNED`, `PLAYER_STATE_FORBIDDEN`, `LOBBY_NOT_FOUND`, `PLAN_LIMIT_EXCEEDED`, `QUEUE_NOT_FOUND`, `QUEUE_DISABLED`,
   * `VALIDATION_FAILED`, `INVITE_CODES_EXHAUSTED`, `PAYLOAD_TOO_LARGE`.
   */
  create: operation({
    callers: PLAYERS,
    role: 'developer',
    player: 'required',
    fields: [
      'projectId',
      'playerId',
      'queueId',
      'name?',
      'region?',
      'isPrivate?',
      'maxPlayers?',
      'settings?',
      'state?',
      'client?',
    ],
    refusals: [
      'PLAYER_BANNED',
      'PLAN_LIMIT_EXCEEDED',
      'QUEUE_NOT_FOUND',
      'PLAYER_STATE_FORBIDDEN',
      'QUEUE_DISABLED',
      'INVITE_CODES_EXHAUSTED',
      'LOBBY_NOT_FOUND',
    ],
    run: createLobby,
  }),

  /** Returns the present state of a lobby. A read by a member counts as a heartbeat of that player. Rejects with `LOBBY_NOT_FOUND`. */
  get: operation({
    callers: PLAYERS,
    role: 'viewer',
    player: 'optional',
    fields: ['lobbyId', 'playerId?', 'backend', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND'],
    run: getLobby,
  }),

  /**
   * Returns a page of the project's lobbies. Players see only public lobbies (specification, "Lobbies", rule 7), and no lobby in `waiting`
   * whose host is absent, unless `includeAbsent` is true. `total` counts these lobbies too. The next page begins at the `offset` of the answer
   * plus the length of `data`. Rejects with `VALIDATION_FAILED`.
   */
  browse: operation({
    callers: PLAYERS,
    role: 'viewer',
    player: 'optional',
    fields: [
      'backend',
      'playerId?',
      'queueId?',
      'status?',
      'region?',
      'settings?',
      'includePrivate?',
      'includeAbsent?',
      'sort?',
      'limit?',
      'offset?',
      'projectId',
    ],
    run: browseLobbies,
  }),

  /**
   * Replaces the supplied fields of a lobby (specification, "Lobbies", rule 2). Only the host may do this, while the lobby is `waiting`.
   * Rejects with `LOBBY_NOT_FOUND`, `NOT_HOST`, `INVALID_LOBBY_STATE`, `QUEUE_NOT_FOUND`, `QUEUE_DISABLED`, `INVITE_CODES_EXHAUSTED`,
   * `VALIDATION_FAILED`, `PAYLOAD_TOO_LARGE`.
   */
  updateSettings: operation({
    callers: PLAYERS,
    role: 'developer',
    player: 'required',
    fields: ['changes', 'lobbyId', 'playerId', 'projectId'],
    refusals: [
      'LOBBY_NOT_FOUND',
      'NOT_HOST',
      'QUEUE_NOT_FOUND',
      'QUEUE_DISABLED',
      'INVITE_CODES_EXHAUSTED',
      'INVALID_LOBBY_STATE',
    ],
    audit: 'sessions',
    run: updateSettings,
  }),

  /** Returns a page of the lobbies in which the player is at present, private lobbies included, newest first. */
  ofPlayer: operation({
    callers: PLAYERS,
    role: 'viewer',
    player: 'required',
    fields: ['playerId', 'limit?', 'offset?', 'projectId'],
    run: lobbiesOfPlayer,
  }),

  /**
   * Returns the live lobbies of a project after a cursor, newest first, for dashboards. Private lobbies and lobbies of every status are
   * included. The cost grows with the size of the answer. An answer may hold fewer than `limit` lobbies when they are large; `nextCursor`
   * says whether more lobbies follow. Rejects with `VALIDATION_FAILED`.
   */
  ofProject: embedded({
    fields: ['code?', 'cursor?', 'limit?', 'projectId', 'queueId?', 'status?', 'region?', 'settings?', 'playerId?'],
    run: lobbiesOfProject,
  }),

  /**
   * Joins a public lobby by id. Rejects with `PLAYER_STATE_FORBIDDEN`, `LOBBY_NOT_FOUND`, `PLAYER_BANNED`, `LOBBY_NOT_ACCEPTING`,
   * `LOBBY_FULL`, `VALIDATION_FAILED`, `PAYLOAD_TOO_LARGE`.
   */
  join: operation({
    callers: PLAYERS,
    role: 'developer',
    player: 'required',
    fields: ['state?', 'lobbyId', 'playerId', 'projectId', 'client?'],
    refusals: ['LOBBY_NOT_FOUND', 'PLAYER_BANNED', 'PLAYER_STATE_FORBIDDEN', 'LOBBY_NOT_ACCEPTING', 'LOBBY_FULL'],
    passedOver: ['backend'],
    run: joinLobby,
  }),

  /**
   * Joins the open public lobby of a queue that fits the filter and has the fewest free seats. When no lobby fits, creates a lobby with the
   * filter as its settings. When many players join at once, no player is refused while a seat is free, and only one node creates the next
   * lobby. Rejects with `PLAYER_BANNED`, `PLAN_LIMIT_EXCEEDED`, `PLAYER_STATE_FORBIDDEN`, `QUEUE_DISABLED`, `INVITE_CODES_EXHAUSTED`,
   * `QUEUE_NOT_FOUND`, `VALIDATION_FAILED`, and the errors of `create`. Rejects with `LOBBY_NOT_FOUND` when `create` is false and no lobby fits.
   */
  quickJoin: operation({
    callers: PLAYERS,
    role: 'developer',
    player: 'required',
    fields: ['playerId', 'queueId', 'filter?', 'state?', 'create?', 'projectId', 'client?'],
    refusals: [
      'LOBBY_NOT_FOUND',
      'QUEUE_NOT_FOUND',
      'PLAYER_BANNED',
      'PLAN_LIMIT_EXCEEDED',
      'PLAYER_STATE_FORBIDDEN',
      'QUEUE_DISABLED',
      'INVITE_CODES_EXHAUSTED',
    ],
    run: ({ quickJoins }: Running, input: QuickJoinInput, call?: CallOptions) => quickJoins.join(input, call),
  }),

  /**
   * Joins the public or private lobby that has this invite code. Upper and lower case and blanks do not matter; 0 equals O, and 1 equals I
   * and L. Rejects with `PLAYER_BANNED`, `PLAYER_STATE_FORBIDDEN`, `LOBBY_NOT_ACCEPTING`, `LOBBY_FULL`, `LOBBY_NOT_FOUND`,
   * `INVALID_INVITE_CODE` and the errors of `join`.
   */
  joinByCode: operation({
    callers: PLAYERS,
    role: 'developer',
    player: 'required',
    fields: ['playerId', 'inviteCode', 'state?', 'projectId', 'client?'],
    refusals: [
      'INVALID_INVITE_CODE',
      'PLAYER_BANNED',
      'PLAYER_STATE_FORBIDDEN',
      'LOBBY_NOT_ACCEPTING',
      'LOBBY_FULL',
      'LOBBY_NOT_FOUND',
    ],
    run: joinByCode,
  }),

  /**
   * Removes the calling player from a lobby. A lobby in the queue returns to `waiting`. Rejects with `LOBBY_NOT_FOUND`,
   * `PLAYER_NOT_IN_LOBBY`.
   */
  leave: operation({
    callers: PLAYERS,
    role: 'developer',
    player: 'required',
    fields: ['lobbyId', 'playerId', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'PLAYER_NOT_IN_LOBBY'],
    run: leaveLobby,
  }),

  /**
   * Removes a player from a lobby. Players can remove themselves, and the host can remove any player. Rejects with `LOBBY_NOT_FOUND`,
   * `NOT_HOST`, `PLAYER_NOT_IN_LOBBY`. The kind of the last error is `absent` when the player to be removed is not in the lobby.
   */
  removePlayer: operation({
    callers: PLAYERS,
    role: 'support',
    player: 'required',
    fields: ['targetPlayerId', 'lobbyId', 'playerId', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'PLAYER_NOT_IN_LOBBY'],
    audit: 'sessions',
    run: removePlayer,
  }),

  /**
   * Bans a player from a lobby. A member is removed, and the player cannot join again. The host and the backend may call this. Repeating
   * the call changes nothing. Rejects with `LOBBY_NOT_FOUND`, `NOT_HOST`, `PAYLOAD_TOO_LARGE`. Rejects with `BAN_LIMIT` when the lobby has
   * a hundred bans, and with `VALIDATION_FAILED` when players ban themselves.
   */
  banPlayer: operation({
    callers: PLAYERS,
    role: 'support',
    player: 'unless-backend',
    fields: ['targetPlayerId', 'lobbyId', 'playerId?', 'backend', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'BAN_LIMIT'],
    audit: 'sessions',
    run: banPlayer,
  }),

  /** Lifts the ban of a player. The host and the backend may call this. Rejects with `LOBBY_NOT_FOUND`, `NOT_HOST`, `BAN_NOT_FOUND`. */
  unbanPlayer: operation({
    callers: PLAYERS,
    role: 'support',
    player: 'unless-backend',
    fields: ['targetPlayerId', 'lobbyId', 'playerId?', 'backend', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'BAN_NOT_FOUND'],
    audit: 'sessions',
    run: unbanPlayer,
  }),

  /**
   * Replaces the invite code of a lobby; the old code is invalid at once. The host and the backend may call this. Rejects with
   * `LOBBY_NOT_FOUND`, `NOT_HOST`, `INVITE_CODES_EXHAUSTED`. Rejects with `INVALID_LOBBY_STATE` when the queue has no invite codes.
   */
  renewInviteCode: operation({
    callers: PLAYERS,
    role: 'developer',
    player: 'unless-backend',
    fields: ['lobbyId', 'playerId?', 'backend', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'INVITE_CODES_EXHAUSTED', 'INVALID_LOBBY_STATE'],
    audit: 'sessions',
    run: renewInviteCode,
  }),

  /**
   * Changes the state of a player. Players may change their own state, and the host the state of any player (specification, "Lobbies", rule
   * 5). When the lobby is in the queue, its ticket keeps the entry time, and a state with which the party cannot be matched is refused.
   * Rejects with `LOBBY_NOT_FOUND`, `PLAYER_NOT_IN_LOBBY`, `PLAYER_STATE_FORBIDDEN`, `VALIDATION_FAILED`, `PAYLOAD_TOO_LARGE`. When the
   * lobby is in the queue, also rejects with `MATCHMAKING_NOT_CONFIGURED`, `PARTY_TOO_LARGE`, `PARTY_CANNOT_MATCH`, `BUILD_NOT_READY`. The
   * kind of `PLAYER_NOT_IN_LOBBY` is `absent` when the player to be changed is not in the lobby.
   */
  updatePlayer: operation({
    callers: PLAYERS,
    role: 'developer',
    player: 'required',
    fields: ['targetPlayerId', 'state', 'merge?', 'lobbyId', 'playerId', 'projectId', 'client?'],
    refusals: [
      'LOBBY_NOT_FOUND',
      'PLAYER_NOT_IN_LOBBY',
      'PLAYER_STATE_FORBIDDEN',
      'MATCHMAKING_NOT_CONFIGURED',
      'PARTY_TOO_LARGE',
      'PARTY_CANNOT_MATCH',
      'BUILD_NOT_READY',
    ],
    passedOver: ['backend'],
    audit: 'sessions',
    run: updatePlayer,
  }),

  /**
   * Records a heartbeat of a member, which shows that the player is still present. Rejects with `LOBBY_NOT_FOUND`, `PLAYER_NOT_IN_LOBBY`.
   */
  heartbeat: operation({
    callers: PLAYERS,
    role: 'developer',
    player: 'required',
    fields: ['lobbyId', 'playerId', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'PLAYER_NOT_IN_LOBBY'],
    run: heartbeat,
  }),

  /**
   * Deletes a lobby in any state. The host may call this, and a backend that names no player. Other lobbies of the same match continue
   * without the deleted lobby. Rejects with `LOBBY_NOT_FOUND`, `NOT_HOST`.
   */
  delete: operation({
    callers: PLAYERS,
    role: 'developer',
    player: 'unless-backend',
    fields: ['lobbyId', 'playerId?', 'backend', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'NOT_HOST'],
    audit: 'sessions',
    run: deleteLobby,
  }),

  ...lobbyMatches,
  ...lobbyStreams,
}

/**
 * Lobbies: players who gather, queue and play together.
 *
 * @interface
 */
export type Lobbies = CallsOf<typeof lobbies>
