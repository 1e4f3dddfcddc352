import type { CallOptions } from '../context/context'
import type { OwnedBy } from '../context/inputs'
import type { ServerLogLine } from '../ports/orchestrator'
import type { GameServer } from '../server/game-server'
import type { Page } from '../shared/page'
import type { CreateServerInput } from '../use-cases/servers/create-server'
import type { ListServersInput, OnServer } from '../use-cases/servers/read-servers'
import type { SelfCall } from '../use-cases/servers/self-server'

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
  stop(input: OnServer): Promise<GameServer>

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
}
