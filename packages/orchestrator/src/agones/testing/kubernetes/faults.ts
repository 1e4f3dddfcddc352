import type { Access } from './access'

/**
 * Outcome of one request that a test chooses. `lost`: carried out, but the answer does not arrive. `down`: the
 * connection ends, and nothing is done. `silent`: nothing is done, and the call gets no answer.
 */
export type Fate = 'pass' | 'lost' | 'down' | 'silent' | 'throttle' | 'error'

/**
 * Outcome of a GameServerAllocation that was admitted. `contention`: other allocations took the game servers, on every
 * try. `twice`: Agones loses the answer to its own write and allocates a second game server.
 */
export type AllocationFate = 'pass' | 'contention' | 'twice'

/** Faults between a client and the Kubernetes API; each can be set by itself. */
export class Faults {
  /** Returns the outcome of a request, before it is carried out. */
  judge: (request: Access) => Fate = () => 'pass'
  /**
   * Returns the outcome of an event of a watch. `before`: the stream is cut before the event. `after`: the stream is
   * cut after the event.
   */
  judgeEvent: (index: number) => 'pass' | 'before' | 'after' = () => 'pass'
  judgeAllocation: () => AllocationFate = () => 'pass'
  /** Whether an expired version is reported by the HTTP status or by an event in the stream; real servers do both. */
  expiredAs: 'status' | 'event' = 'event'
  /** Seconds that a throttled client is asked to wait. */
  retryAfter = 1

  /** Ends all faults. */
  clear(): void {
    this.judge = () => 'pass'
    this.judgeEvent = () => 'pass'
    this.judgeAllocation = () => 'pass'
  }
}
