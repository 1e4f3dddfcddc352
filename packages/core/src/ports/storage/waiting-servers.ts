import { queueKey } from '../../queue/queue'
import { type GameServer, isWaiting } from '../../server/game-server'

/** Columns of an adapter's table that find a server which waits for capacity; null for every other server. */

/** Returns the waiting line of a server: `{orchestrator}/{region}/{tier}`. */
export const placeInLine = (server: GameServer): string | null =>
  isWaiting(server) && server.room?.orchestrator != null
    ? `${server.room.orchestrator}/${server.region}/${server.tier}`
    : null

/** The queue whose match waits for it. */
export const waitingQueue = (server: GameServer): string | null =>
  isWaiting(server) && server.queueId !== null ? queueKey(server.projectId, server.queueId) : null
