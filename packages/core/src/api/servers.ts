import type { CallOptions } from '../context/context'
import type { OwnedBy, SelfCall } from '../context/inputs'
import type { ServerLogLine } from '../ports/orchestrator'
import type { GameServer } from '../server/game-server'
import type { JsonObject } from '../shared/json'
import type { Page } from '../shared/page'
import type { ServerStream, WatchServerInput } from '../streams/index'
import type { Backfill } from '../use-cases/matches/backfill'
import type { SelfBackfillInput } from '../use-cases/matches/self-backfill'
import type { CreateServerInput } from '../use-cases/servers/create-server'
import type { ListServersInput, OnServer } from '../use-cases/servers/read-servers'

/** Game servers, launched by themselves or for a match. */
export interface Servers {
  /**
   * Launches a server by itself; the answer does not wait for it.
   * Throws VALIDATION_FAILED, PROJECT_NOT_FOUND, BUILD_NOT_READY, PLAN_LIMIT_EXCEEDED.
   */
  create(input: CreateServerInput, call?: CallOptions): Promise<GameServer>

  /** A page of a project's servers, newest first. Throws PROJECT_NOT_FOUND. */
  list(input: ListServersInput): Promise<Page<GameServer>>

  /** The full server. Throws SERVER_NOT_FOUND. */
  get(input: OnServer): Promise<GameServer>

  /** Stops a server; one that is stopping or has ended is answered unchanged. Its match ends. Throws SERVER_NOT_FOUND. */
  stop(input: OnServer, call?: CallOptions): Promise<GameServer>

  /** Restarts the process in place, with the same id, ports and meter. Throws SERVER_NOT_FOUND, INVALID_SERVER_STATE. */
  restart(input: OnServer, call?: CallOptions): Promise<GameServer>

  /** What the server printed, oldest first. Throws SERVER_NOT_FOUND. */
  logs(
    input: OwnedBy & {
      readonly instanceId: string
      readonly limit?: number | undefined
      readonly since?: number | undefined
    },
  ): Promise<ServerLogLine[]>

  /** The game server says that it takes players: it is `running` now. Again is fine. Throws INVALID_SERVER_STATE. */
  selfReady(input: SelfCall, call?: CallOptions): Promise<void>

  /** The game server says that it is alive. Throws INVALID_SERVER_STATE. */
  selfHeartbeat(input: SelfCall, call?: CallOptions): Promise<void>

  /** The game server asks to be stopped; its match ends. Again is fine. */
  selfShutdown(input: SelfCall, call?: CallOptions): Promise<void>

  /** What the game server finds in its configuration file, as it is now: match version and teams too. Throws INVALID_SERVER_STATE. */
  selfGet(input: SelfCall): Promise<JsonObject>

  /**
   * How the game server and its match are, told whenever that changes: the newest state, not each one. Ends with its token.
   * Throws INVALID_SERVER_STATE, UNAVAILABLE.
   */
  selfWatch(input: WatchServerInput): Promise<ServerStream>

  /**
   * The game server asks for newcomers, as `matches.backfill` does. Throws VALIDATION_FAILED, MATCH_NOT_FOUND (it has none),
   * INVALID_MATCH_STATE, MATCHMAKING_NOT_CONFIGURED, INVALID_SERVER_STATE.
   */
  selfBackfill(input: SelfBackfillInput, call?: CallOptions): Promise<Backfill>

  /** What the game server's match asks for now. Throws MATCH_NOT_FOUND, BACKFILL_NOT_FOUND, INVALID_SERVER_STATE. */
  selfGetBackfill(input: SelfCall): Promise<Backfill>

  /** Its match asks for nobody any more. Throws MATCH_NOT_FOUND, BACKFILL_NOT_FOUND, INVALID_SERVER_STATE. */
  selfCancelBackfill(input: SelfCall, call?: CallOptions): Promise<void>

  /**
   * A player has left the game: the roster marks them, and their lobby loses them as by leaving. Again, or after the match, nothing
   * happens. Throws MATCH_NOT_FOUND, PLAYER_NOT_IN_LOBBY (of kind `absent`), INVALID_SERVER_STATE.
   */
  selfPlayerLeft(input: SelfCall & { readonly playerId: string }, call?: CallOptions): Promise<void>

  /** Nobody is to come any more, until the match ends. Again is fine. Throws MATCH_NOT_FOUND, INVALID_SERVER_STATE. */
  selfClose(input: SelfCall, call?: CallOptions): Promise<void>
}
