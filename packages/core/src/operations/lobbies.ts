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
   * `PLAYER_STATE_FORBIDDEN`, `LOBBY_NOT_FOUND`, `PLAN_LIMIT_EXCEEDED`, `QUEUE_NOT_FOUND`, `QUEUE_DISABLED`, `VALIDATION_FAILED`,
   * `INVITE_CODES_EXHAUSTED`, `PAYLOAD_TOO_LARGE`.
   */
  create: operation({
    callers: PLAYERS,
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
      'PLAN_LIMIT_EXCEEDED',
      'QUEUE_NOT_FOUND',
      'PLAYER_STATE_FORBIDDEN',
      'QUEUE_DISABLED',
      'INVITE_CODES_EXHAUSTED',
      'LOBBY_NOT_FOUND',
    ],
    run: createLobby,
  }),

  /** Returns the present state of a lobby. A read by a member counts as a sighting of that player. Rejects with `LOBBY_NOT_FOUND`. */
  get: operation({
    callers: PLAYERS,
    player: 'optional',
    fields: ['lobbyId', 'playerId?', 'backend', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND'],
    run: getLobby,
  }),

  /**
   * Returns a page of the project's lobbies. Players see only public lobbies (specification, "Lobbies", rule 7). Rejects with
   * `VALIDATION_FAILED`.
   */
  browse: operation({
    callers: PLAYERS,
    player: 'optional',
    fields: [
      'backend',
      'playerId?',
      'queueId?',
      'status?',
      'region?',
      'settings?',
      'includePrivate?',
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
    run: updateSettings,
  }),

  /** Returns a page of the lobbies that contain the player now, private lobbies included, newest first. */
  ofPlayer: operation({
    callers: PLAYERS,
    player: 'required',
    fields: ['playerId', 'limit?', 'offset?', 'projectId'],
    run: lobbiesOfPlayer,
  }),

  /**
   * Returns the live lobbies of a project after a cursor, private ones included, of every status, newest first; for dashboards. The cost
   * grows with the size of the answer. An answer may hold fewer than `limit` lobbies when they are large; `nextCursor` says whether there
   * are more. Rejects with `VALIDATION_FAILED`.
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
    player: 'required',
    fields: ['state?', 'lobbyId', 'playerId', 'projectId', 'client?'],
    refusals: ['LOBBY_NOT_FOUND', 'PLAYER_BANNED', 'PLAYER_STATE_FORBIDDEN', 'LOBBY_NOT_ACCEPTING', 'LOBBY_FULL'],
    passedOver: ['backend'],
    run: joinLobby,
  }),

  /**
   * Joins the fullest open public lobby of a queue whose settings fit the filter. When there is none, creates a lobby with the filter as
   * its settings. When many players join at once, a player is never refused while a seat is free, and only one node creates the next lobby.
   * Rejects with `PLAN_LIMIT_EXCEEDED`, `PLAYER_STATE_FORBIDDEN`, `QUEUE_DISABLED`, `INVITE_CODES_EXHAUSTED`, `QUEUE_NOT_FOUND`,
   * `VALIDATION_FAILED`, `LOBBY_NOT_FOUND` with `create: false` and no fitting lobby, and the errors of `create`.
   */
  quickJoin: operation({
    callers: PLAYERS,
    player: 'required',
    fields: ['playerId', 'queueId', 'filter?', 'state?', 'create?', 'projectId', 'client?'],
    refusals: [
      'LOBBY_NOT_FOUND',
      'QUEUE_NOT_FOUND',
      'PLAN_LIMIT_EXCEEDED',
      'PLAYER_STATE_FORBIDDEN',
      'QUEUE_DISABLED',
      'INVITE_CODES_EXHAUSTED',
    ],
    run: ({ quickJoins }: Running, input: QuickJoinInput, call?: CallOptions) => quickJoins.join(input, call),
  }),

  /**
   * Joins the public or private lobby with this invite code. The code is compared without case and blanks, and 0 equals O, as 1 equals I
   * and L. Rejects with `PLAYER_BANNED`, `PLAYER_STATE_FORBIDDEN`, `LOBBY_NOT_ACCEPTING`, `LOBBY_FULL`, `LOBBY_NOT_FOUND`,
   * `INVALID_INVITE_CODE` and the errors of `join`.
   */
  joinByCode: operation({
    callers: PLAYERS,
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
    player: 'required',
    fields: ['lobbyId', 'playerId', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'PLAYER_NOT_IN_LOBBY'],
    run: leaveLobby,
  }),

  /**
   * Removes a player from a lobby: players remove themselves, and the host kicks others. Rejects with `LOBBY_NOT_FOUND`, `NOT_HOST`,
   * `PLAYER_NOT_IN_LOBBY` (of kind `absent` when addressed).
   */
  removePlayer: operation({
    callers: PLAYERS,
    player: 'required',
    fields: ['targetPlayerId', 'lobbyId', 'playerId', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'PLAYER_NOT_IN_LOBBY'],
    run: removePlayer,
  }),

  /**
   * Bans a player from a lobby: a member is kicked, and the player cannot join again. The host and the backend may do this. A repeated call
   * changes nothing. Rejects with `LOBBY_NOT_FOUND`, `NOT_HOST`, `BAN_LIMIT` past a hundred, `VALIDATION_FAILED` of oneself,
   * `PAYLOAD_TOO_LARGE`.
   */
  banPlayer: operation({
    callers: PLAYERS,
    player: 'unless-backend',
    fields: ['targetPlayerId', 'lobbyId', 'playerId?', 'backend', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'BAN_LIMIT'],
    run: banPlayer,
  }),

  /** Lifts the ban of a player. The host and the backend may do this. Rejects with `LOBBY_NOT_FOUND`, `NOT_HOST`, `BAN_NOT_FOUND`. */
  unbanPlayer: operation({
    callers: PLAYERS,
    player: 'unless-backend',
    fields: ['targetPlayerId', 'lobbyId', 'playerId?', 'backend', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'BAN_NOT_FOUND'],
    run: unbanPlayer,
  }),

  /**
   * Replaces the invite code of a lobby; the old code is invalid at once. The host and the backend may do this. Rejects with
   * `LOBBY_NOT_FOUND`, `NOT_HOST`, `INVALID_LOBBY_STATE` where the queue has no codes, `INVITE_CODES_EXHAUSTED`.
   */
  renewInviteCode: operation({
    callers: PLAYERS,
    player: 'unless-backend',
    fields: ['lobbyId', 'playerId?', 'backend', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'INVITE_CODES_EXHAUSTED', 'INVALID_LOBBY_STATE'],
    run: renewInviteCode,
  }),

  /**
   * Changes the state of a player: players change their own, the host changes any (specification, "Lobbies", rule 5). For a lobby in the
   * queue the ticket keeps its entry time, and a state that makes the party unmatchable is refused. Rejects with `LOBBY_NOT_FOUND`,
   * `PLAYER_NOT_IN_LOBBY` (of kind `absent` when addressed), `PLAYER_STATE_FORBIDDEN`, `VALIDATION_FAILED`, `PAYLOAD_TOO_LARGE`; of a lobby
   * in the queue `MATCHMAKING_NOT_CONFIGURED`, `PARTY_TOO_LARGE`, `PARTY_CANNOT_MATCH`, `BUILD_NOT_READY`.
   */
  updatePlayer: operation({
    callers: PLAYERS,
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
    run: updatePlayer,
  }),

  /**
   * Records a heartbeat of a member, which shows that the player is still present. Rejects with `LOBBY_NOT_FOUND`, `PLAYER_NOT_IN_LOBBY`.
   */
  heartbeat: operation({
    callers: PLAYERS,
    player: 'required',
    fields: ['lobbyId', 'playerId', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'PLAYER_NOT_IN_LOBBY'],
    run: heartbeat,
  }),

  /**
   * Deletes a lobby in any state. The host may do this, and a backend that names no player. Other lobbies of its match continue without it.
   * Rejects with `LOBBY_NOT_FOUND`, `NOT_HOST`.
   */
  delete: operation({
    callers: PLAYERS,
    player: 'unless-backend',
    fields: ['lobbyId', 'playerId?', 'backend', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'NOT_HOST'],
    run: deleteLobby,
  }),

  ...lobbyMatches,
  ...lobbyStreams,
}

/** Lobbies: players who gather, queue and play together. */
export type Lobbies = CallsOf<typeof lobbies>
