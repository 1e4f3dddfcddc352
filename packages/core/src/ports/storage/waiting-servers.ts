import { queueKey } from '../../queue/queue'
import { type GameServer, hasTls, isWaiting } from '../../server/game-server'

/**
 * Functions for columns of an adapter's table, by which the adapter finds servers that wait for capacity. They return null for all other
 * servers.
 */

/**
 * Returns the waiting line of the server, as `{orchestrator}/{region}/{tier}`. Servers with TLS ports have lines of their own, which end with
 * `/tls`: while they wait for a machine with a certificate, machines without one start the others.
 */
export const placeInLine = (server: GameServer): string | null =>
  isWaiting(server) && server.room?.orchestrator != null
    ? `${server.room.orchestrator}/${server.region}/${server.tier}${hasTls(server.portRequests) ? '/tls' : ''}`
    : null

/** Returns the key of the queue whose match waits for the server. */
export const waitingQueue = (server: GameServer): string | null =>
  isWaiting(server) && server.queueId !== null ? queueKey(server.projectId, server.queueId) : null
