import type { Access } from './access'

/** What becomes of one request. `lost`: it is carried out, and its answer does not arrive. `silent`: neither, and the call waits. */
export type Fate = 'pass' | 'lost' | 'down' | 'silent' | 'throttle' | 'error'

/**
 * What becomes of a GameServerAllocation that was let in. `contention`: others were quicker, again and again. `twice`: Agones loses the
 * answer of its own write and takes another one.
 */
export type AllocationFate = 'pass' | 'contention' | 'twice'

/** What can go wrong between a client and the interface; each is a switch. */
export class Faults {
  /** Judges each request before it is carried out. */
  judge: (request: Access) => Fate = () => 'pass'
  /** Judges each event of a watch: `before`, the stream is cut and it is not sent; `after`, it is sent and the stream is cut. */
  judgeEvent: (index: number) => 'pass' | 'before' | 'after' = () => 'pass'
  judgeAllocation: () => AllocationFate = () => 'pass'
  /** Whether an old version is told by the answer's code, or by an event in the stream: both happen. */
  expiredAs: 'status' | 'event' = 'event'
  /** Seconds that a throttled client is asked to wait. */
  retryAfter = 1

  /** Nothing goes wrong any more. */
  clear(): void {
    this.judge = () => 'pass'
    this.judgeEvent = () => 'pass'
    this.judgeAllocation = () => 'pass'
  }
}
