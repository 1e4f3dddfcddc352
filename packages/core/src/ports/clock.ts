import type { Instant } from '../shared/time'

/** Time. Never runs backwards within a process. */
export interface Clock {
  now(): Instant
}

/** Waiting, used by the worker's loop alone. */
export interface Timers {
  /** Calls once after `ms`; the answer cancels it. */
  after(ms: number, callback: () => void): () => void
}
