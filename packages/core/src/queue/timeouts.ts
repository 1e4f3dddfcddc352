import { SECOND_MS } from '../shared/time'
import type { Queue } from './queue'

/** How long a ticket may wait: the smaller of the queue's timeout and matchmaking's (design, "Completeness"). */
export const ticketTimeoutMs = (queue: Queue): number =>
  Math.min(queue.timeoutSeconds, queue.matchmaking?.timeoutSeconds ?? queue.timeoutSeconds) * SECOND_MS

/** How long a member may be silent; infinite where nobody listens for heartbeats. */
export const heartbeatTimeoutMs = (queue: Queue): number =>
  queue.heartbeat ? queue.heartbeatTimeoutSeconds * SECOND_MS : Number.POSITIVE_INFINITY

/** How long a lobby may be idle. */
export const idleTimeoutMs = (queue: Queue): number => queue.lobbyTtlSeconds * SECOND_MS

/** The smallest silence that means something in the queue; open streams report at a quarter of it. */
export const presenceTimeoutMs = (queue: Queue): number => Math.min(idleTimeoutMs(queue), heartbeatTimeoutMs(queue))
