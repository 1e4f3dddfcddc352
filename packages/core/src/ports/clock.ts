import type { Instant } from '../shared/time'

/** How a clock has kept with the machine's own. */
export interface ClockReport {
  /** Milliseconds by which the machine's clock is ahead of this one; negative where it is behind: this one never goes back to it. */
  readonly offsetMs: number
  /** Steps of the machine's clock by more than a second, ahead or back, since the process began. */
  readonly steps: number
  /** The instant to which this one last stepped ahead; 0 where it never has. */
  readonly steppedTo: Instant
}

/** Time. Never runs backwards within a process. */
export interface Clock {
  now(): Instant
  /** From now on never behind `instant`, the newest that is stored. A clock of a test that starts after it needs none. */
  advanceTo?(instant: Instant): void
  /** Returns observations about the machine's clock; undefined for a clock that follows no machine. */
  report?(): ClockReport
}

/** Waiting, used by the worker's loop alone. */
export interface Timers {
  /** Calls once after `ms`; the answer cancels it. */
  after(ms: number, callback: () => void): () => void
}
