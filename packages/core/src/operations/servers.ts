import { serverLogs } from '../runtime/server-logs'
import type { WatchServerInput } from '../streams/index'
import { selfBackfill, selfCancelBackfill, selfGetBackfill } from '../use-cases/matches/self-backfill'
import { selfClose, selfPlayerLeft } from '../use-cases/matches/self-roster'
import { createServer } from '../use-cases/servers/create-server'
import { getServer, listServers } from '../use-cases/servers/read-servers'
import { selfGet, selfHeartbeat, selfReady, selfShutdown } from '../use-cases/servers/self-server'
import { restartServer, stopServer } from '../use-cases/servers/stop-server'
import { GAME_SERVER, PROJECT } from './callers'
import { type CallsOf, operation } from './operation'
import type { Running } from './running'

/** Game servers, launched by themselves or for a match. */
export const servers = {
  /**
   * Launches a server by itself; the answer does not wait for it.
   * Rejects with `VALIDATION_FAILED`, `PROJECT_NOT_FOUND`, `BUILD_NOT_READY`, `PLAN_LIMIT_EXCEEDED`.
   */
  create: operation({
    callers: PROJECT,
    fields: [
      'projectId',
      'versionTag',
      'name?',
      'region?',
      'tier?',
      'networkPorts?',
      'startupArgs?',
      'readiness?',
      'ttlSeconds?',
      'autoRestart?',
      'customData?',
    ],
    refusals: ['PROJECT_NOT_FOUND', 'PLAN_LIMIT_EXCEEDED', 'BUILD_NOT_READY'],
    run: createServer,
  }),

  /** A page of a project's servers, newest first. Rejects with `PROJECT_NOT_FOUND`. */
  list: operation({
    callers: PROJECT,
    fields: ['status?', 'region?', 'matchId?', 'versionTag?', 'limit?', 'offset?', 'projectId'],
    refusals: ['PROJECT_NOT_FOUND'],
    run: listServers,
  }),

  /** The full server. Rejects with `SERVER_NOT_FOUND`. */
  get: operation({
    callers: PROJECT,
    fields: ['projectId', 'accountId', 'instanceId'],
    refusals: ['SERVER_NOT_FOUND'],
    run: getServer,
  }),

  /** Stops a server; one that is stopping or has ended is answered unchanged. Its match ends. Rejects with `SERVER_NOT_FOUND`. */
  stop: operation({
    callers: PROJECT,
    fields: ['projectId', 'accountId', 'instanceId'],
    refusals: ['SERVER_NOT_FOUND'],
    run: stopServer,
  }),

  /** Restarts the process in place, with the same id, ports and meter. Rejects with `SERVER_NOT_FOUND`, `INVALID_SERVER_STATE`. */
  restart: operation({
    callers: PROJECT,
    fields: ['projectId', 'accountId', 'instanceId'],
    refusals: ['SERVER_NOT_FOUND', 'INVALID_SERVER_STATE'],
    run: restartServer,
  }),

  /** Returns the log lines of a server, oldest first. Rejects with `SERVER_NOT_FOUND`. */
  logs: operation({
    callers: PROJECT,
    fields: ['projectId', 'accountId', 'instanceId', 'limit?', 'since?'],
    refusals: ['SERVER_NOT_FOUND'],
    run: serverLogs,
  }),

  /** The game server says that it takes players: it is `running` now. Again is fine. Rejects with `INVALID_SERVER_STATE`. */
  selfReady: operation({
    callers: GAME_SERVER,
    fields: ['instanceId', 'attempt', 'projectId'],
    refusals: ['INVALID_SERVER_STATE'],
    run: selfReady,
  }),

  /** The game server says that it is alive. Rejects with `INVALID_SERVER_STATE`. */
  selfHeartbeat: operation({
    callers: GAME_SERVER,
    fields: ['instanceId', 'attempt', 'projectId'],
    refusals: ['INVALID_SERVER_STATE'],
    run: selfHeartbeat,
  }),

  /** The game server asks to be stopped; its match ends. Again is fine. Rejects with `INVALID_SERVER_STATE`. */
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
   * How the game server and its match are, told whenever that changes: the newest state, not each one. Ends with its token.
   * Rejects with `INVALID_SERVER_STATE`, `UNAVAILABLE`.
   */
  selfWatch: operation({
    name: 'servers.selfEvents',
    callers: GAME_SERVER,
    fields: ['lastEventId?', 'turn?', 'instanceId', 'attempt', 'projectId'],
    refusals: ['INVALID_SERVER_STATE'],
    run: ({ streams }: Running, input: WatchServerInput) => streams.servers.open(input),
  }),

  /**
   * The game server asks for newcomers, as `matches.backfill` does. Rejects with `BACKFILL_NOT_FOUND`, `VALIDATION_FAILED`,
   * `MATCH_NOT_FOUND` (it has none), `INVALID_MATCH_STATE`, `MATCHMAKING_NOT_CONFIGURED`, `INVALID_SERVER_STATE`.
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
   * Returns the open backfill request of the game server's match. Rejects with `MATCH_NOT_FOUND`, `BACKFILL_NOT_FOUND`, `INVALID_SERVER_STATE`.
   */
  selfGetBackfill: operation({
    callers: GAME_SERVER,
    fields: ['instanceId', 'attempt', 'projectId'],
    refusals: ['MATCH_NOT_FOUND', 'BACKFILL_NOT_FOUND', 'INVALID_SERVER_STATE'],
    run: selfGetBackfill,
  }),

  /** Cancels the backfill request of the game server's match. Rejects with `MATCH_NOT_FOUND`, `BACKFILL_NOT_FOUND`, `INVALID_SERVER_STATE`. */
  selfCancelBackfill: operation({
    callers: GAME_SERVER,
    fields: ['instanceId', 'attempt', 'projectId'],
    refusals: ['MATCH_NOT_FOUND', 'BACKFILL_NOT_FOUND', 'INVALID_SERVER_STATE'],
    run: selfCancelBackfill,
  }),

  /**
   * A player has left the game: the roster marks them, and their lobby loses them as by leaving. Again, or after the match, nothing
   * happens. Rejects with `MATCH_NOT_FOUND`, `PLAYER_NOT_IN_LOBBY` (of kind `absent`), `INVALID_SERVER_STATE`.
   */
  selfPlayerLeft: operation({
    callers: GAME_SERVER,
    fields: ['instanceId', 'attempt', 'projectId', 'playerId'],
    refusals: ['MATCH_NOT_FOUND', 'PLAYER_NOT_IN_LOBBY', 'INVALID_SERVER_STATE'],
    run: selfPlayerLeft,
  }),

  /** Nobody is to come any more, until the match ends. Again is fine. Rejects with `MATCH_NOT_FOUND`, `INVALID_SERVER_STATE`. */
  selfClose: operation({
    callers: GAME_SERVER,
    fields: ['instanceId', 'attempt', 'projectId'],
    refusals: ['MATCH_NOT_FOUND', 'INVALID_SERVER_STATE'],
    run: selfClose,
  }),
}

/** Game servers, launched by themselves or for a match. */
export type Servers = CallsOf<typeof servers>
