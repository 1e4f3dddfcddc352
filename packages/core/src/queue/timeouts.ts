import { SECOND_MS } from '../shared/time'
import { QUEUE_DEFAULTS, type Queue } from './queue'

/** Returns the maximum milliseconds that a ticket waits: the smaller of the queue's timeout and the timeout in its `matchmaking`. */
export const ticketTimeoutMs = (queue: Queue): number =>
  Math.min(queue.timeoutSeconds, queue.matchmaking?.timeoutSeconds ?? queue.timeoutSeconds) * SECOND_MS

/** Returns the maximum milliseconds that a member of a lobby may be silent; infinite when silent members are not removed. */
export function heartbeatTimeoutMs(queue: Queue, { isInMatch }: { readonly isInMatch: boolean }): number {
  const inGame = queue.inGameHeartbeatTimeoutSeconds ?? queue.heartbeatTimeoutSeconds
  const seconds = isInMatch ? inGame : queue.heartbeatTimeoutSeconds
  return queue.heartbeat && seconds > 0 ? seconds * SECOND_MS : Number.POSITIVE_INFINITY
}

/** Returns the milliseconds without a call after which a searching lobby counts as absent; infinite when lobbies never do. */
export const absentAfterMs = ({
  presenceTimeoutSeconds = QUEUE_DEFAULTS.presenceTimeoutSeconds,
}: Partial<Pick<Queue, 'presenceTimeoutSeconds'>>): number =>
  presenceTimeoutSeconds > 0 ? presenceTimeoutSeconds * SECOND_MS : Number.POSITIVE_INFINITY

/** Returns the maximum milliseconds that a lobby may be idle. */
export const idleTimeoutMs = (queue: Queue): number => queue.lobbyTtlSeconds * SECOND_MS

/**
 * Returns the shortest silence of a member or a whole lobby, in milliseconds, that has an effect in the queue. Open streams report presence
 * at a quarter of this interval.
 */
export const presenceTimeoutMs = (queue: Queue): number =>
  Math.min(
    idleTimeoutMs(queue),
    heartbeatTimeoutMs(queue, { isInMatch: false }),
    heartbeatTimeoutMs(queue, { isInMatch: true }),
  )
