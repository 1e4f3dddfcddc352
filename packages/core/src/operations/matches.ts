import { assignServer } from '../use-cases/matches/assign-server'
import { cancelBackfill, getBackfill, requestBackfill } from '../use-cases/matches/backfill'
import { getMatch } from '../use-cases/matches/get-match'
import { issueJoinToken } from '../use-cases/matches/issue-join-token'
import { listMatches } from '../use-cases/matches/list-matches'
import { BACKEND, PLAYERS } from './callers'
import { type CallsOf, operation } from './operation'

/** Matches: lobbies that play together. */
export const matches = {
  /**
   * Assigns a server that the studio runs to a match whose queue has `source: 'external'`. In the same commit, the lobbies of the match
   * enter the game; lobbies that are in the game already show the new address. Repeating the same assignment changes nothing. Rejects with
   * `VALIDATION_FAILED`, `MATCH_NOT_FOUND`, `INVALID_MATCH_STATE`.
   */
  assign: operation({
    callers: BACKEND,
    fields: ['matchId', 'host', 'ports', 'region?', 'customData?', 'projectId'],
    refusals: ['MATCH_NOT_FOUND', 'INVALID_MATCH_STATE'],
    run: assignServer,
  }),

  /**
   * Returns a match with the connection details of its server. Only backends can read a match that is still proposed. Rejects with
   * `MATCH_NOT_FOUND`.
   */
  get: operation({
    callers: PLAYERS,
    player: 'optional',
    fields: ['matchId', 'backend?', 'projectId'],
    refusals: ['MATCH_NOT_FOUND'],
    run: getMatch,
  }),

  /**
   * Returns the matches of a project after a cursor, newest first; proposed and ended matches are included. The cost grows with the size of
   * the answer. An answer may hold fewer than `limit` matches when they are large; `nextCursor` says whether more matches follow. Rejects
   * with `VALIDATION_FAILED`.
   */
  list: operation({
    callers: BACKEND,
    fields: ['queueId?', 'status?', 'endReason?', 'cursor?', 'limit?', 'projectId'],
    run: listMatches,
  }),

  /**
   * Returns a token that the player presents to the match's game server. The server verifies the token without a call to the service. The
   * token is valid for five minutes. Rejects with `MATCH_NOT_FOUND`, also when the player is not in the match, and with
   * `INVALID_MATCH_STATE`.
   */
  joinToken: operation({
    callers: PLAYERS,
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
    fields: ['matchId', 'projectId', 'teams?', 'players?', 'timeoutSeconds?'],
    refusals: ['MATCH_NOT_FOUND', 'INVALID_MATCH_STATE', 'MATCHMAKING_NOT_CONFIGURED', 'BACKFILL_NOT_FOUND'],
    run: requestBackfill,
  }),

  /** Returns the open backfill request of a match. Rejects with `MATCH_NOT_FOUND`, `BACKFILL_NOT_FOUND`. */
  getBackfill: operation({
    callers: BACKEND,
    fields: ['projectId', 'matchId'],
    refusals: ['MATCH_NOT_FOUND', 'BACKFILL_NOT_FOUND'],
    run: getBackfill,
  }),

  /** Cancels the backfill request of a match. Rejects with `MATCH_NOT_FOUND`, `BACKFILL_NOT_FOUND`. */
  cancelBackfill: operation({
    callers: BACKEND,
    fields: ['projectId', 'matchId'],
    refusals: ['MATCH_NOT_FOUND', 'BACKFILL_NOT_FOUND'],
    run: cancelBackfill,
  }),
}

/** Matches: lobbies that play together. */
export type Matches = CallsOf<typeof matches>
