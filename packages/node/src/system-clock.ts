import type { Instant } from '@matchyard/core'
import { SECOND_MS } from '@matchyard/core/domain'
import type { Clock, ClockReport } from '@matchyard/core/ports'

/** Size in milliseconds of the smallest step (sudden change) of the machine's clock that is reported. */
const STEP_MS = SECOND_MS

/** Options of `systemClock`. */
export interface SystemClockOptions {
  /** Earliest time that the clock returns, usually the newest time in the storage. */
  readonly notBefore?: Instant
  /**
   * Returns epoch milliseconds in place of the machine's clock, for tests and replays. Without `elapsed`, it also
   * replaces the elapsed time.
   */
  readonly now?: () => number
  /**
   * Returns elapsed milliseconds since any fixed time, in place of the machine's monotonic clock. Steps of the
   * machine's clock must not change it.
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
  /** Time of this clock after the step. */
  readonly at: Instant
}

/** Clock of the machine that never goes back. */
export interface SystemClock extends Clock {
  /**
   * Makes the clock return no time before `instant` from now on, for a store that is opened after the clock was made.
   */
  advanceTo(instant: Instant): void
  report(): ClockReport
  /** Calls `listener` at each step of the machine's clock of more than a second. */
  onStep(listener: (step: ClockStep) => void): void
}

/**
 * Returns a clock that reads the machine's clock at each call. When the machine's clock is ahead of this clock, this
 * clock follows at once, because the elapsed time does not include a pause of the machine. When the machine's clock is
 * behind, this clock advances by the elapsed time. So this clock never goes back, and durations stay correct. The
 * result is in whole milliseconds.
 */
export function systemClock(options: SystemClockOptions = {}): SystemClock {
  const elapsed = options.elapsed ?? options.now ?? (() => performance.now())
  const isOneSource = options.now !== undefined && options.elapsed === undefined
  const wall = isOneSource ? undefined : (options.now ?? (() => Date.now()))
  const listeners: ((step: ClockStep) => void)[] = []
  // Offset that is added to the elapsed time. A lower bound of the result would not be enough: this clock would stand
  // still until the machine's clock reached it, and no timeout would end in that time.
  let base = wall === undefined ? 0 : wall() - elapsed()
  let last = Number.NEGATIVE_INFINITY
  /** Milliseconds by which the machine's clock was behind this clock when it was last read. */
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
