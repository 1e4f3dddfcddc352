import { queueKey } from '../../queue/queue'
import { type GameServer, isWaiting } from '../../server/game-server'

/**
 * Functions for columns of an adapter's table, by which the adapter finds servers that wait for capacity. They return null for all other
 * servers.
 */

/** Returns the waiting line of the server, as `{orchestrator}/{region}/{tier}`. */
export const placeInLine = (server: GameServer): string | null =>
  isWaiting(server) && server.room?.orchestrator != null
    ? `${server.room.orchestrator}/${server.region}/${server.tier}`
    : null

/** Returns the key of the queue whose match waits for the server. */
export const waitingQueue = (server: GameServer): string | null =>
  isWaiting(server) && server.queueId !== null ? queueKey(server.projectId, server.queueId) : null
