import type { Instant } from '@matchyard/core'
import { SECOND_MS } from '@matchyard/core/domain'
import type { Clock, ClockReport } from '@matchyard/core/ports'

/** Size in milliseconds from which a step of the machine's clock is reported. Smaller steps are not reported. */
const STEP_MS = SECOND_MS

export interface SystemClockOptions {
  /** Earliest time of the clock: the newest instant in the storage. */
  readonly notBefore?: Instant
  /**
   * Replaces the machine's clock (epoch milliseconds), for tests and replays. Without `elapsed` it also replaces the
   * elapsed time.
   */
  readonly now?: () => number
  /**
   * Replaces the elapsed time, in milliseconds since any fixed moment. Steps of the machine's clock must not change it.
   */
  readonly elapsed?: () => number
}

/** A sudden change of the machine's clock, forward or back. */
export interface ClockStep {
  /**
   * Size of the step in milliseconds. Positive: the machine's clock went forward, and this clock followed. Negative:
   * the machine's clock went back, and this clock did not follow.
   */
  readonly byMs: number
  /** Time of the clock after the step. */
  readonly at: Instant
}

export interface SystemClock extends Clock {
  /**
   * Makes the clock never return less than `instant` from now on, for a store that is opened after the clock was made.
   */
  advanceTo(instant: Instant): void
  report(): ClockReport
  /** Calls `listener` at each step of more than a second. */
  onStep(listener: (step: ClockStep) => void): void
}

/**
 * Returns a clock that reads the machine's clock at each call. When the machine's clock is ahead, this clock follows at
 * once: after a pause of the machine, the elapsed time misses the pause. When the machine's clock is behind, this clock
 * advances by the elapsed time. So it never goes back, and durations stay correct. The result is in whole milliseconds.
 */
export function systemClock(options: SystemClockOptions = {}): SystemClock {
  const elapsed = options.elapsed ?? options.now ?? (() => performance.now())
  const isOneSource = options.now !== undefined && options.elapsed === undefined
  const wall = isOneSource ? undefined : (options.now ?? (() => Date.now()))
  const listeners: ((step: ClockStep) => void)[] = []
  // Offset that is added to the elapsed time. It is not a lower bound of the result: with a lower bound, the clock
  // would stand still until the machine's clock caught up, and every timeout would stop for that time.
  let base = wall === undefined ? 0 : wall() - elapsed()
  let last = Number.NEGATIVE_INFINITY
  /** Milliseconds by which the machine's clock was behind this clock at the last reading. */
  let behind = 0
  let steps = 0
  let steppedTo = 0

  const tell = (byMs: number, at: Instant) => {
    steps++
    for (const listener of listeners) listener({ byMs, at })
  }
  const read = (): Instant => {
    const own = Math.floor(base + elapsed())
    const offset = wall === undefined ? 0 : Math.floor(wall()) - own
    const stepBack = -offset - behind
    behind = Math.max(0, -offset)
    if (offset <= 0) {
      last = Math.max(last, own)
      if (stepBack > STEP_MS) tell(-stepBack, last)
      return last
    }
    base += offset
    last = Math.max(last, own + offset)
    if (offset > STEP_MS) {
      steppedTo = last
      tell(offset, last)
    }
    return last
  }
  const advanceTo = (instant: Instant) => {
    const ahead = Math.max(0, instant - read())
    base += ahead
    behind += ahead
  }
  if (options.notBefore !== undefined) advanceTo(options.notBefore)
  return {
    now: read,
    advanceTo,
    report() {
      read()
      return { offsetMs: 0 - behind, steps, steppedTo }
    },
    onStep: (listener) => void listeners.push(listener),
  }
}
