import { queueKey } from '../../queue/queue'
import { type GameServer, isWaiting } from '../../server/game-server'

/** Values for columns of an adapter's table, by which it finds servers that wait for capacity. They are null for every other server. */

/** Returns the part of a waiting line to which a server belongs, as `{orchestrator}/{region}/{tier}`: the servers of one tier. */
export const placeInLine = (server: GameServer): string | null =>
  isWaiting(server) && server.room?.orchestrator != null
    ? `${server.room.orchestrator}/${server.region}/${server.tier}`
    : null

/** Returns the key of the queue whose match waits for the server. */
export const waitingQueue = (server: GameServer): string | null =>
  isWaiting(server) && server.queueId !== null ? queueKey(server.projectId, server.queueId) : null
