import { SECOND_MS } from '../shared/time'
import type { Queue } from './queue'

/** Returns the maximum milliseconds that a ticket waits: the smaller of the queue's timeout and the timeout in its `matchmaking`. */
export const ticketTimeoutMs = (queue: Queue): number =>
  Math.min(queue.timeoutSeconds, queue.matchmaking?.timeoutSeconds ?? queue.timeoutSeconds) * SECOND_MS

/** Returns the maximum milliseconds that a member may be silent; infinite when the queue uses no heartbeats. */
export const heartbeatTimeoutMs = (queue: Queue): number =>
  queue.heartbeat ? queue.heartbeatTimeoutSeconds * SECOND_MS : Number.POSITIVE_INFINITY

/** Returns the maximum milliseconds that a lobby may be idle. */
export const idleTimeoutMs = (queue: Queue): number => queue.lobbyTtlSeconds * SECOND_MS

/**
 * Returns the shortest silence of a member or a whole lobby, in milliseconds, that has an effect in the queue. Open streams report presence
 * at a quarter of this interval.
 */
export const presenceTimeoutMs = (queue: Queue): number => Math.min(idleTimeoutMs(queue), heartbeatTimeoutMs(queue))
