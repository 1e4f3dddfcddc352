import type { Storage } from '../ports/storage/index'
import { absentAfterMs, presenceTimeoutMs } from '../queue/timeouts'
import { SECOND_MS } from '../shared/time'

/** Milliseconds after which timeouts are read again. A signal about a changed queue also causes a read, but signals may be lost. */
const KNOWN_FOR_MS = 1 * SECOND_MS
/** Maximum number of queues that one call to the storage reads. */
const QUEUES_AT_ONCE = 1_000

/** Timeouts of a queue in milliseconds. */
export interface TimeoutsOfQueue {
  /** Shortest silence of a member or of a whole lobby that has an effect. */
  readonly silentMs: number
  /** Silence after which a searching lobby counts as absent; infinite when it never does. */
  readonly absentMs: number
}

/**
 * Timeouts of each queue whose lobbies have open streams. The timeouts are read again after a signal about a change, and every
 * second in any case.
 */
export class QueueTimeouts {
  private readonly byQueue = new Map<string, TimeoutsOfQueue>()
  private behind = new Set<string>()
  private askedAt = Number.NEGATIVE_INFINITY

  constructor(private readonly storage: Storage) {}

  /** Returns the timeouts of a queue; undefined when they have not been read yet. */
  of(queueKey: string): TimeoutsOfQueue | undefined {
    return this.byQueue.get(queueKey)
  }

  /** Whether timeouts may have changed since the last read. */
  get isBehind(): boolean {
    return this.behind.size > 0
  }

  /** Discards the known timeouts of a queue, or of all queues. Returns whether any timeout was known. */
  forget(queueKey?: string): boolean {
    const known = queueKey === undefined ? [...this.byQueue.keys()] : this.byQueue.has(queueKey) ? [queueKey] : []
    for (const key of known) this.behind.add(key)
    return known.length > 0
  }

  /**
   * Reads the timeouts of these queues that are unknown or may have changed, and drops all other queues. Throws the error of the storage.
   */
  async learn(queueKeys: ReadonlySet<string>, now: number): Promise<void> {
    for (const key of this.byQueue.keys()) if (!queueKeys.has(key)) this.byQueue.delete(key)
    const isOld = now - this.askedAt >= KNOWN_FOR_MS
    const wanted = [...queueKeys].filter((key) => isOld || this.behind.has(key) || !this.byQueue.has(key))
    this.behind = new Set()
    if (isOld) this.askedAt = now
    try {
      for (let from = 0; from < wanted.length; from += QUEUES_AT_ONCE)
        await this.read(wanted.slice(from, from + QUEUES_AT_ONCE))
    } catch (error) {
      // After a failed read, this sweep does not try again, because the storage may be down. The next sweep tries again.
      this.askedAt = Number.NEGATIVE_INFINITY
      throw error
    }
  }

  private async read(queueKeys: readonly string[]): Promise<void> {
    // A queue that was deleted has no lobbies, so it needs no timeout.
    for (const queue of await this.storage.getMany('queue', queueKeys))
      this.byQueue.set(queue.id, { silentMs: presenceTimeoutMs(queue), absentMs: absentAfterMs(queue) })
  }
}
