import type { Instant } from '@matchyard/core'
import type { Clock } from '@matchyard/core/ports'

export interface SystemClockOptions {
  /** The clock starts here at the earliest: the newest instant that is stored. */
  readonly notBefore?: Instant
  /** Replaces the wall clock at the start and the elapsed time after it; for tests and replays. */
  readonly now?: () => number
}

export interface SystemClock extends Clock {
  /** From now on never behind `instant`: for a store that is opened after the clock was made. */
  advanceTo(instant: Instant): void
}

/**
 * Wall time at the start plus the time elapsed since, so that a step of the machine's clock never moves it back.
 * Whole milliseconds.
 */
export function systemClock(options: SystemClockOptions = {}): SystemClock {
  const source = options.now ?? wallPlusElapsed()
  // Not a floor under the answer but a shift of it: a clock that stood still until the wall caught up
  // would stop every timeout for as long.
  let shift = 0
  let last = Number.NEGATIVE_INFINITY
  const read = () => Math.floor(source()) + shift
  const advanceTo = (instant: Instant) => {
    shift += Math.max(0, instant - read())
  }
  if (options.notBefore !== undefined) advanceTo(options.notBefore)
  return {
    now() {
      last = Math.max(last, read())
      return last
    },
    advanceTo,
  }
}

function wallPlusElapsed(): () => number {
  const start = Date.now()
  const origin = performance.now()
  return () => start + (performance.now() - origin)
}
