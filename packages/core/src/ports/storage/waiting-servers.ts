import { queueKey } from '../../queue/queue'
import { type GameServer, isWaiting } from '../../server/game-server'

/** By what a server that waits for room is found: columns of an adapter's table, null for every other one. */

/** Its line, and its place among those of its size: `{orchestrator}/{region}/{tier}`. */
export const placeInLine = (server: GameServer): string | null =>
  isWaiting(server) && server.room?.orchestrator != null
    ? `${server.room.orchestrator}/${server.region}/${server.tier}`
    : null

/** The queue whose match waits for it. */
export const waitingQueue = (server: GameServer): string | null =>
  isWaiting(server) && server.queueId !== null ? queueKey(server.projectId, server.queueId) : null
