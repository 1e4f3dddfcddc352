import type { Instant } from '../shared/time'

/** Comparison of a clock with the machine's clock. */
export interface ClockReport {
  /** Milliseconds by which the machine's clock is ahead of this clock. Negative when it is behind: this clock never goes back to it. */
  readonly offsetMs: number
  /** Number of steps of the machine's clock by more than a second, ahead or back, since the process started. */
  readonly steps: number
  /** Instant to which this clock last stepped ahead; 0 when it never did. */
  readonly steppedTo: Instant
}

/** Source of the time. It never runs backwards within a process. */
export interface Clock {
  /** Returns the present time in epoch milliseconds. */
  now(): Instant
  /**
   * Moves the clock ahead to `instant`, the newest instant in the storage, so that it is never behind it. A clock of a test that starts
   * later needs no such method.
   */
  advanceTo?(instant: Instant): void
  /** Returns observations about the machine's clock; undefined for a clock that follows no machine. */
  report?(): ClockReport
}

/** Timers, used by background work and for time limits of waits. */
export interface Timers {
  /** Calls `callback` once after `ms` milliseconds. Returns a function that cancels the call. */
  after(ms: number, callback: () => void): () => void
}
