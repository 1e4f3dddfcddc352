import type { Instant } from '../shared/time'

/** Time. Never runs backwards within a process. */
export interface Clock {
  now(): Instant
  /** From now on never behind `instant`, the newest that is stored. A clock of a test that starts after it needs none. */
  advanceTo?(instant: Instant): void
}

/** Waiting, used by the worker's loop alone. */
export interface Timers {
  /** Calls once after `ms`; the answer cancels it. */
  after(ms: number, callback: () => void): () => void
}
