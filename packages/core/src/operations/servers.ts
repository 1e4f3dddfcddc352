import { serverLogs } from '../runtime/server-logs'
import type { FollowLogInput, WatchServerInput } from '../streams/index'
import { selfResult } from '../use-cases/matches/record-result'
import { selfBackfill, selfCancelBackfill, selfGetBackfill } from '../use-cases/matches/self-backfill'
import { selfClose, selfPlayerLeft } from '../use-cases/matches/self-roster'
import { selfFreeSeat, selfKeepSeat } from '../use-cases/matches/self-seats'
import { createServer } from '../use-cases/servers/create-server'
import { getServer, listServers } from '../use-cases/servers/read-servers'
import { selfGet, selfHeartbeat, selfReady, selfShutdown } from '../use-cases/servers/self-server'
import { restartServer, stopServer } from '../use-cases/servers/stop-server'
import { GAME_SERVER, PROJECT } from './callers'
import { type CallsOf, embedded, operation } from './operation'
import type { Running } from './running'

/** Game servers, launched by a call or for a match. */
export const servers = {
  /**
   * Launches a game server without a match. The call resolves before the server runs. Rejects with `VALIDATION_FAILED`,
   * `PROJECT_NOT_FOUND`, `BUILD_NOT_READY`, `PLAN_LIMIT_EXCEEDED`.
   */
  create: operation({
    callers: PROJECT,
    role: 'developer',
    fields: [
      'projectId',
      'versionTag',
      'name?',
      'region?',
      'tier?',
      'networkPorts?',
      'startupArgs?',
      'environment?',
      'readiness?',
      'ttlSeconds?',
      'stopGraceSeconds?',
      'autoRestart?',
      'customData?',
    ],
    refusals: ['PROJECT_NOT_FOUND', 'PLAN_LIMIT_EXCEEDED', 'BUILD_NOT_READY'],
    audit: 'sessions',
    run: createServer,
  }),

  /** Returns a page of a project's servers, newest first. Rejects with `PROJECT_NOT_FOUND`, `VALIDATION_FAILED`. */
  list: operation({
    callers: PROJECT,
    role: 'viewer',
    fields: [
      'status?',
      'region?',
      'matchId?',
      'versionTag?',
      'buildId?',
      'buildVersion?',
      'endReason?',
      'limit?',
      'offset?',
      'projectId',
    ],
    refusals: ['PROJECT_NOT_FOUND'],
    run: listServers,
  }),

  /** Returns a server with all its fields. Rejects with `SERVER_NOT_FOUND`. */
  get: operation({
    callers: PROJECT,
    role: 'viewer',
    fields: ['projectId', 'accountId', 'grants?', 'instanceId'],
    refusals: ['SERVER_NOT_FOUND'],
    run: getServer,
  }),

  /**
   * Stops a server and ends its match. A server that is already stopping or has ended is returned unchanged. Rejects with
   * `SERVER_NOT_FOUND`.
   */
  stop: operation({
    callers: PROJECT,
    role: 'developer',
    fields: ['projectId', 'accountId', 'grants?', 'instanceId'],
    refusals: ['SERVER_NOT_FOUND'],
    audit: 'sessions',
    run: stopServer,
  }),

  /**
   * Restarts the process of a server in place: its id, its ports and its metering stay. Rejects with `SERVER_NOT_FOUND`,
   * `INVALID_SERVER_STATE`.
   */
  restart: operation({
    callers: PROJECT,
    role: 'developer',
    fields: ['projectId', 'accountId', 'grants?', 'instanceId'],
    refusals: ['SERVER_NOT_FOUND', 'INVALID_SERVER_STATE'],
    audit: 'sessions',
    run: restartServer,
  }),

  /** Returns the log lines of a server, oldest first. Rejects with `SERVER_NOT_FOUND`. */
  logs: operation({
    callers: PROJECT,
    role: 'viewer',
    fields: ['projectId', 'accountId', 'grants?', 'instanceId', 'limit?', 'since?'],
    refusals: ['SERVER_NOT_FOUND'],
    run: serverLogs,
  }),

  /**
   * Opens a stream of the log lines of a server, on any node: messages `lines` with new lines, and `end` after the last line of a server
   * that has ended. Rejects with `SERVER_NOT_FOUND`, `UNAVAILABLE`.
   */
  followLogs: embedded({
    fields: [
      'projectId',
      'accountId',
      'grants?',
      'instanceId',
      'limit?',
      'since?',
      'lastEventId?',
      'keyId?',
      'until?',
      'turn?',
    ],
    run: (node: Running, input: FollowLogInput) =>
      node.streams.logs.open(input, (query) => serverLogs(node, { ...input, ...query })),
  }),

  /**
   * Reports that the calling game server accepts players; its status becomes `running`. The call can be repeated. Rejects with
   * `INVALID_SERVER_STATE`.
   */
  selfReady: operation({
    callers: GAME_SERVER,
    fields: ['instanceId', 'attempt', 'projectId'],
    refusals: ['INVALID_SERVER_STATE'],
    run: selfReady,
  }),

  /** Records a heartbeat of the calling game server. Rejects with `INVALID_SERVER_STATE`. */
  selfHeartbeat: operation({
    callers: GAME_SERVER,
    fields: ['instanceId', 'attempt', 'projectId'],
    refusals: ['INVALID_SERVER_STATE'],
    run: selfHeartbeat,
  }),

  /** Stops the calling game server and ends its match. The call can be repeated. Rejects with `INVALID_SERVER_STATE`. */
  selfShutdown: operation({
    callers: GAME_SERVER,
    fields: ['instanceId', 'attempt', 'projectId'],
    refusals: ['INVALID_SERVER_STATE'],
    run: selfShutdown,
  }),

  /**
   * Returns the current content of the game server's configuration file, with the match version and the teams. Rejects with
   * `INVALID_SERVER_STATE`.
   */
  selfGet: operation({
    callers: GAME_SERVER,
    fields: ['instanceId', 'attempt', 'projectId'],
    refusals: ['INVALID_SERVER_STATE'],
    run: selfGet,
  }),

  /**
   * Opens a stream with the state of the calling game server and of its match. Each message holds the newest state; states in between may
   * be left out. The stream ends when the server's token is no longer valid. Rejects with `INVALID_SERVER_STATE`, `UNAVAILABLE`.
   */
  selfWatch: operation({
    name: 'servers.selfEvents',
    callers: GAME_SERVER,
    fields: ['lastEventId?', 'turn?', 'instanceId', 'attempt', 'projectId'],
    refusals: ['INVALID_SERVER_STATE'],
    run: ({ streams }: Running, input: WatchServerInput) => streams.servers.open(input),
  }),

  /**
   * Requests players for the open seats of the game server's match, as `matches.backfill` does. Rejects with `BACKFILL_NOT_FOUND`,
   * `VALIDATION_FAILED`, `INVALID_MATCH_STATE`, `MATCHMAKING_NOT_CONFIGURED`, `INVALID_SERVER_STATE`. Rejects with `MATCH_NOT_FOUND` when
   * the server has no match.
   */
  selfBackfill: operation({
    callers: GAME_SERVER,
    fields: ['instanceId', 'attempt', 'projectId', 'teams?', 'players?', 'timeoutSeconds?'],
    refusals: [
      'MATCH_NOT_FOUND',
      'INVALID_MATCH_STATE',
      'MATCHMAKING_NOT_CONFIGURED',
      'INVALID_SERVER_STATE',
      'BACKFILL_NOT_FOUND',
    ],
    run: selfBackfill,
  }),

  /**
   * Returns the open backfill request of the game server's match. Rejects with `MATCH_NOT_FOUND`, `BACKFILL_NOT_FOUND`,
   * `INVALID_SERVER_STATE`.
   */
  selfGetBackfill: operation({
    callers: GAME_SERVER,
    fields: ['instanceId', 'attempt', 'projectId'],
    refusals: ['MATCH_NOT_FOUND', 'BACKFILL_NOT_FOUND', 'INVALID_SERVER_STATE'],
    run: selfGetBackfill,
  }),

  /**
   * Cancels the backfill request of the game server's match. Rejects with `MATCH_NOT_FOUND`, `BACKFILL_NOT_FOUND`, `INVALID_SERVER_STATE`.
   */
  selfCancelBackfill: operation({
    callers: GAME_SERVER,
    fields: ['instanceId', 'attempt', 'projectId'],
    refusals: ['MATCH_NOT_FOUND', 'BACKFILL_NOT_FOUND', 'INVALID_SERVER_STATE'],
    run: selfCancelBackfill,
  }),

  /**
   * Keeps an open seat of the game server's match for one player. Rejects with `VALIDATION_FAILED`, `MATCH_NOT_FOUND`,
   * `INVALID_MATCH_STATE`, `PLAYER_IN_MATCH`, `MATCH_FULL`, `INVALID_SERVER_STATE`.
   */
  selfKeepSeat: operation({
    callers: GAME_SERVER,
    fields: ['instanceId', 'attempt', 'projectId', 'targetPlayerId', 'team?', 'holdSeconds?'],
    refusals: ['MATCH_NOT_FOUND', 'INVALID_MATCH_STATE', 'PLAYER_IN_MATCH', 'MATCH_FULL', 'INVALID_SERVER_STATE'],
    run: selfKeepSeat,
  }),

  /** Gives back a kept seat of the game server's match. Rejects with `MATCH_NOT_FOUND`, `SEAT_NOT_FOUND`, `INVALID_SERVER_STATE`. */
  selfFreeSeat: operation({
    callers: GAME_SERVER,
    fields: ['instanceId', 'attempt', 'projectId', 'targetPlayerId'],
    refusals: ['MATCH_NOT_FOUND', 'SEAT_NOT_FOUND', 'INVALID_SERVER_STATE'],
    run: selfFreeSeat,
  }),

  /**
   * Records the result of the game server's match. `end: true` ends the match in the same commit and stops the server. The same result again
   * changes nothing. Only a backend can amend a result. Rejects with `VALIDATION_FAILED`, `MATCH_NOT_FOUND`, `INVALID_MATCH_STATE`,
   * `RESULT_EXISTS`, `INVALID_SERVER_STATE`.
   */
  selfResult: operation({
    callers: GAME_SERVER,
    fields: ['instanceId', 'attempt', 'projectId', 'teams', 'players?', 'completed?', 'end?', 'amend?'],
    refusals: ['MATCH_NOT_FOUND', 'INVALID_MATCH_STATE', 'RESULT_EXISTS', 'INVALID_SERVER_STATE'],
    run: selfResult,
  }),

  /**
   * Reports that a player has left the game: the match marks the player as gone, and the player leaves the lobby. A repeated call changes
   * nothing, and neither does a call after the end of the match. An `excused` player gets no penalty for leaving. Rejects with
   * `MATCH_NOT_FOUND`, `PLAYER_NOT_IN_LOBBY` (of kind `absent`), `INVALID_SERVER_STATE`.
   */
  selfPlayerLeft: operation({
    callers: GAME_SERVER,
    fields: ['excused?', 'instanceId', 'attempt', 'projectId', 'playerId'],
    refusals: ['MATCH_NOT_FOUND', 'PLAYER_NOT_IN_LOBBY', 'INVALID_SERVER_STATE'],
    run: selfPlayerLeft,
  }),

  /**
   * Closes the game server's match to new players until it ends. The call can be repeated. Rejects with `MATCH_NOT_FOUND`,
   * `INVALID_SERVER_STATE`.
   */
  selfClose: operation({
    callers: GAME_SERVER,
    fields: ['instanceId', 'attempt', 'projectId'],
    refusals: ['MATCH_NOT_FOUND', 'INVALID_SERVER_STATE'],
    run: selfClose,
  }),
}

/**
 * Game servers, launched by a call or for a match.
 *
 * @interface
 */
export type Servers = CallsOf<typeof servers>
