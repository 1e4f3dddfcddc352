import type { Instant } from '../shared/time'

/** Comparison of a clock with the machine's clock. */
export interface ClockReport {
  /**
   * Milliseconds by which the machine's clock is ahead of this clock; negative when the machine's clock is behind. This clock never steps
   * back.
   */
  readonly offsetMs: number
  /** Number of times since the process started that the machine's clock stepped by more than a second, ahead or back. */
  readonly steps: number
  /** Instant to which this clock last stepped ahead; 0 when this clock never stepped ahead. */
  readonly steppedTo: Instant
}

/** Source of the time. It never runs backwards within a process. */
export interface Clock {
  /** Returns the present time in epoch milliseconds. */
  now(): Instant
  /**
   * Moves the clock ahead to `instant`, the newest instant in the storage, so that new instants are never older than stored ones. A test
   * clock that starts after all stored instants needs no such method.
   */
  advanceTo?(instant: Instant): void
  /** Returns the comparison with the machine's clock; undefined for a clock that does not follow a machine's clock. */
  report?(): ClockReport
}

/** Timers for background work and for time limits. */
export interface Timers {
  /** Calls `callback` once after `ms` milliseconds. Returns a function that cancels the call. */
  after(ms: number, callback: () => void): () => void
}
