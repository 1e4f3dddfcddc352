import type { Instant } from '@matchyard/core'
import { SECOND_MS } from '@matchyard/core/domain'
import type { Clock, ClockReport } from '@matchyard/core/ports'

/** A step of the machine's clock that is worth a word; smaller ones are followed in silence. */
const STEP_MS = SECOND_MS

export interface SystemClockOptions {
  /** The clock starts here at the earliest: the newest instant that is stored. */
  readonly notBefore?: Instant
  /** Replaces the machine's clock, in milliseconds, for tests and replays; without `elapsed`, the time that elapses too. */
  readonly now?: () => number
  /** Replaces the time that has elapsed, in milliseconds since any one moment, which no step of the machine's clock changes. */
  readonly elapsed?: () => number
}

/** A step of the machine's clock. */
export interface ClockStep {
  /** Milliseconds ahead, which the clock followed, or negative: back, which it did not. */
  readonly byMs: number
  /** Time of the clock after the step. */
  readonly at: Instant
}

export interface SystemClock extends Clock {
  /** From now on never behind `instant`: for a store that is opened after the clock was made. */
  advanceTo(instant: Instant): void
  report(): ClockReport
  /** Calls back at each step of more than a second. */
  onStep(listener: (step: ClockStep) => void): void
}

/**
 * The machine's clock, which is looked at with every reading. Where it is ahead it is followed at once: a machine that was paused has
 * missed what elapsed. Where it is behind, the clock goes on by the time that elapses, so that it never goes back and durations stay true.
 * Whole milliseconds.
 */
export function systemClock(options: SystemClockOptions = {}): SystemClock {
  const elapsed = options.elapsed ?? options.now ?? (() => performance.now())
  const isOneSource = options.now !== undefined && options.elapsed === undefined
  const wall = isOneSource ? undefined : (options.now ?? (() => Date.now()))
  const listeners: ((step: ClockStep) => void)[] = []
  // Offset that is added to the elapsed time. It is no lower bound of the result: a clock that stood still until the machine's caught up would
  // stop every timeout for as long.
  let base = wall === undefined ? 0 : wall() - elapsed()
  let last = Number.NEGATIVE_INFINITY
  /** How many milliseconds the machine's clock was behind when it was last looked at. */
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
