import { assignServer } from '../use-cases/matches/assign-server'
import { cancelBackfill, getBackfill, requestBackfill } from '../use-cases/matches/backfill'
import { currentMatch } from '../use-cases/matches/current-match'
import { endWithResult } from '../use-cases/matches/end-with-result'
import { getMatch } from '../use-cases/matches/get-match'
import { issueJoinToken } from '../use-cases/matches/issue-join-token'
import { joinMatch } from '../use-cases/matches/join-match'
import { freeSeat, keepSeat } from '../use-cases/matches/keep-seat'
import { listMatches } from '../use-cases/matches/list-matches'
import { recordResult } from '../use-cases/matches/record-result'
import { BACKEND, PLAYERS } from './callers'
import { type CallsOf, embedded, operation } from './operation'

/** Matches: lobbies that play together. */
export const matches = {
  /**
   * Assigns a server that the studio runs to a match whose queue has `source: 'external'`. In the same commit, the lobbies of the match
   * enter the game; lobbies that are in the game already show the new address. Repeating the same assignment changes nothing. Rejects with
   * `VALIDATION_FAILED`, `MATCH_NOT_FOUND`, `INVALID_MATCH_STATE`.
   */
  assign: operation({
    callers: BACKEND,
    role: 'developer',
    fields: ['matchId', 'host', 'ports', 'region?', 'customData?', 'projectId'],
    refusals: ['MATCH_NOT_FOUND', 'INVALID_MATCH_STATE'],
    audit: 'sessions',
    run: assignServer,
  }),

  /**
   * Returns a match with the connection details of its server. Only backends can read a match that is still proposed. Rejects with
   * `MATCH_NOT_FOUND`.
   */
  get: operation({
    callers: PLAYERS,
    role: 'viewer',
    player: 'optional',
    fields: ['matchId', 'backend?', 'projectId'],
    refusals: ['MATCH_NOT_FOUND'],
    run: getMatch,
  }),

  /**
   * Returns the live match of a player, with the connection details of its server; undefined without a live match. This is the match that
   * keeps the player out of other matches, so a match of a queue with `concurrentMatches` is not returned. A match that is still proposed is
   * returned too.
   */
  current: embedded({ fields: ['playerId', 'projectId'], run: currentMatch }),

  /**
   * Returns the matches of a project, or of one player, after a cursor, newest first; proposed and ended matches are included. The cost grows
   * with the size of the answer. An answer may hold fewer than `limit` matches; `nextCursor` says whether more matches follow. A period
   * selects by the time at which a match was made. Only backends can select by a build. A client may
   * list only the matches of a player whose id a token proves. Rejects with `VALIDATION_FAILED`.
   */
  list: operation({
    callers: PLAYERS,
    role: 'viewer',
    player: 'optional',
    fields: [
      'queueId?',
      'status?',
      'endReason?',
      'playerId?',
      'buildId?',
      'buildVersion?',
      'from?',
      'to?',
      'backend?',
      'cursor?',
      'limit?',
      'projectId',
    ],
    run: listMatches,
  }),

  /**
   * Returns a token that the player presents to the match's game server. The server verifies the token without a call to the service. The
   * token is valid for five minutes. Rejects with `MATCH_NOT_FOUND`, also when the player is not in the match, and with
   * `INVALID_MATCH_STATE`.
   */
  joinToken: operation({
    callers: PLAYERS,
    role: 'developer',
    player: 'required',
    fields: ['matchId', 'playerId', 'projectId'],
    refusals: ['MATCH_NOT_FOUND', 'INVALID_MATCH_STATE'],
    run: issueJoinToken,
  }),

  /**
   * Requests players for the open seats of a running match. The request replaces an earlier request and keeps its age. Without `teams` it
   * requests players for every open seat. `players` updates the states of players in the match, which rules compare new players with.
   * Rejects with `BACKFILL_NOT_FOUND`, `MATCH_NOT_FOUND`, `INVALID_MATCH_STATE`, `MATCHMAKING_NOT_CONFIGURED`. Rejects with
   * `VALIDATION_FAILED`, for instance when `teams` has more seats than are open.
   */
  backfill: operation({
    callers: BACKEND,
    role: 'developer',
    fields: ['matchId', 'projectId', 'teams?', 'players?', 'timeoutSeconds?'],
    refusals: ['MATCH_NOT_FOUND', 'INVALID_MATCH_STATE', 'MATCHMAKING_NOT_CONFIGURED', 'BACKFILL_NOT_FOUND'],
    audit: 'sessions',
    run: requestBackfill,
  }),

  /** Returns the open backfill request of a match. Rejects with `MATCH_NOT_FOUND`, `BACKFILL_NOT_FOUND`. */
  getBackfill: operation({
    callers: BACKEND,
    role: 'viewer',
    fields: ['projectId', 'matchId'],
    refusals: ['MATCH_NOT_FOUND', 'BACKFILL_NOT_FOUND'],
    run: getBackfill,
  }),

  /** Cancels the backfill request of a match. Rejects with `MATCH_NOT_FOUND`, `BACKFILL_NOT_FOUND`. */
  cancelBackfill: operation({
    callers: BACKEND,
    role: 'developer',
    fields: ['projectId', 'matchId'],
    refusals: ['MATCH_NOT_FOUND', 'BACKFILL_NOT_FOUND'],
    audit: 'sessions',
    run: cancelBackfill,
  }),

  /**
   * Keeps an open seat of a running match for one player, who then joins with `join`. A player of the match keeps at most one seat; another
   * call replaces it. Rejects with `MATCH_NOT_FOUND`, also when the calling player is not in the match, and with `VALIDATION_FAILED`,
   * `INVALID_MATCH_STATE`, `PLAYER_IN_MATCH`, `MATCH_FULL`.
   */
  keepSeat: operation({
    callers: PLAYERS,
    role: 'developer',
    player: 'unless-backend',
    fields: ['matchId', 'targetPlayerId', 'team?', 'holdSeconds?', 'playerId?', 'backend', 'projectId'],
    refusals: ['MATCH_NOT_FOUND', 'INVALID_MATCH_STATE', 'PLAYER_IN_MATCH', 'MATCH_FULL'],
    audit: 'sessions',
    run: keepSeat,
  }),

  /**
   * Gives back a kept seat. The player who asked for it, the player for whom it is kept, and the backend may call this. Rejects with
   * `MATCH_NOT_FOUND`, `SEAT_NOT_FOUND`.
   */
  freeSeat: operation({
    callers: PLAYERS,
    role: 'developer',
    player: 'unless-backend',
    fields: ['matchId', 'targetPlayerId', 'playerId?', 'backend', 'projectId'],
    refusals: ['MATCH_NOT_FOUND', 'SEAT_NOT_FOUND'],
    audit: 'sessions',
    run: freeSeat,
  }),

  /**
   * Lets the only player of a lobby take the seat of a running match that is kept for this player. Only the host may call this. The rules of
   * the queue do not apply, except that players must have the same game version. The call resolves with the lobby in `starting`. Rejects with
   * `MATCH_NOT_FOUND`, `LOBBY_NOT_FOUND`, `NOT_HOST`, `PLAYER_BANNED`, `INVALID_MATCH_STATE`, `SEAT_NOT_FOUND`, `PARTY_TOO_LARGE`,
   * `INVALID_LOBBY_STATE`, `PLAYER_IN_MATCH`, `PARTY_CANNOT_MATCH`.
   */
  join: operation({
    callers: PLAYERS,
    role: 'developer',
    player: 'unless-backend',
    fields: ['matchId', 'lobbyId', 'playerId?', 'backend', 'projectId'],
    refusals: [
      'MATCH_NOT_FOUND',
      'LOBBY_NOT_FOUND',
      'NOT_HOST',
      'PLAYER_BANNED',
      'INVALID_MATCH_STATE',
      'SEAT_NOT_FOUND',
      'PARTY_TOO_LARGE',
      'INVALID_LOBBY_STATE',
      'PLAYER_IN_MATCH',
      'PARTY_CANNOT_MATCH',
    ],
    run: joinMatch,
  }),

  /**
   * Records the result of a running match, or of a match that ended in the last 24 hours. `end: true` ends the match in the same commit. The
   * same result again changes nothing. Within 7 days after the first result, `amend: true` replaces it. Rejects with `VALIDATION_FAILED`, for
   * instance when a team of the match has no result, and with `MATCH_NOT_FOUND`, `INVALID_MATCH_STATE`, `RESULT_EXISTS`.
   */
  result: operation({
    callers: BACKEND,
    role: 'developer',
    fields: ['matchId', 'teams', 'players?', 'completed?', 'end?', 'amend?', 'projectId'],
    refusals: ['MATCH_NOT_FOUND', 'INVALID_MATCH_STATE', 'RESULT_EXISTS'],
    audit: 'sessions',
    run: recordResult,
  }),

  /**
   * Ends a match for all its lobbies, with its result when `result` is given. Both happen in one commit. A match that has ended is not
   * changed; its result is recorded nevertheless. Rejects with `VALIDATION_FAILED`, `MATCH_NOT_FOUND`, `INVALID_MATCH_STATE`,
   * `RESULT_EXISTS`.
   */
  end: embedded({ fields: ['matchId', 'result?', 'projectId'], run: endWithResult }),
}

/**
 * Matches: lobbies that play together.
 *
 * @interface
 */
export type Matches = CallsOf<typeof matches>
