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
   * Tells where a match is played whose queue has `source: 'external'`: its lobbies enter the game, or all of them show the new address,
   * in one commit. The same again changes nothing. Rejects with `VALIDATION_FAILED`, `MATCH_NOT_FOUND`, `INVALID_MATCH_STATE`.
   */
  assign: operation({
    callers: BACKEND,
    fields: ['matchId', 'host', 'ports', 'region?', 'customData?', 'projectId'],
    refusals: ['MATCH_NOT_FOUND', 'INVALID_MATCH_STATE'],
    run: assignServer,
  }),

  /** A match with its server's connection details; one that is only proposed is for backends. Rejects with `MATCH_NOT_FOUND`. */
  get: operation({
    callers: PLAYERS,
    player: 'optional',
    fields: ['matchId', 'backend?', 'projectId'],
    refusals: ['MATCH_NOT_FOUND'],
    run: getMatch,
  }),

  /**
   * A project's matches, newest first, from a cursor on, those that are proposed and over too. The cost grows with the size of the answer. An
   * answer may hold fewer than `limit` where matches are large; `nextCursor` says whether there are more. Rejects with `VALIDATION_FAILED`.
   */
  list: operation({
    callers: BACKEND,
    fields: ['queueId?', 'status?', 'endReason?', 'cursor?', 'limit?', 'projectId'],
    run: listMatches,
  }),

  /**
   * A token by which a player of the match is let in by its game server, which verifies it offline; good for five minutes. Throws
   * `MATCH_NOT_FOUND`, also for who is not in the match, `INVALID_MATCH_STATE`.
   */
  joinToken: operation({
    callers: PLAYERS,
    player: 'required',
    fields: ['matchId', 'playerId', 'projectId'],
    refusals: ['MATCH_NOT_FOUND', 'INVALID_MATCH_STATE'],
    run: issueJoinToken,
  }),

  /**
   * Asks for players for the open seats of a running match. The request replaces an earlier one and keeps its age. Without `teams` it asks for
   * every open seat. `players` updates the states by which the rules judge the current players. Rejects with `BACKFILL_NOT_FOUND`,
   * `VALIDATION_FAILED` (more seats than are open), `MATCH_NOT_FOUND`, `INVALID_MATCH_STATE`, `MATCHMAKING_NOT_CONFIGURED`.
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

  /** The match asks for nobody any more. Rejects with `MATCH_NOT_FOUND`, `BACKFILL_NOT_FOUND`. */
  cancelBackfill: operation({
    callers: BACKEND,
    fields: ['projectId', 'matchId'],
    refusals: ['MATCH_NOT_FOUND', 'BACKFILL_NOT_FOUND'],
    run: cancelBackfill,
  }),
}

/** Matches: lobbies that play together. */
export type Matches = CallsOf<typeof matches>
