import type { Access } from './access'

/**
 * Result of one request, chosen by a test. `lost`: the request is carried out, but the answer does not arrive. `down`:
 * the connection ends, and nothing is done. `silent`: nothing is done, and the call gets no answer.
 */
export type Fate = 'pass' | 'lost' | 'down' | 'silent' | 'throttle' | 'error'

/**
 * Result of a GameServerAllocation, chosen by a test. `contention`: other allocations took the game servers, on every
 * try. `twice`: Agones loses the answer to its own write and allocates a second game server.
 */
export type AllocationFate = 'pass' | 'contention' | 'twice'

/** Faults between a client and the Kubernetes API. A test can set each fault separately. */
export class Faults {
  /** Returns the result of a request, before the request is carried out. */
  judge: (request: Access) => Fate = () => 'pass'
  /**
   * Returns the fault at an event of a watch. `before`: the stream ends before the event. `after`: the stream ends
   * after the event.
   */
  judgeEvent: (index: number) => 'pass' | 'before' | 'after' = () => 'pass'
  judgeAllocation: () => AllocationFate = () => 'pass'
  /**
   * Whether an expired version is reported by the HTTP status or by an event in the stream. Real servers use both ways.
   */
  expiredAs: 'status' | 'event' = 'event'
  /** Seconds for which a throttled client is asked to wait. */
  retryAfter = 1

  /** Ends all faults. */
  clear(): void {
    this.judge = () => 'pass'
    this.judgeEvent = () => 'pass'
    this.judgeAllocation = () => 'pass'
  }
}
