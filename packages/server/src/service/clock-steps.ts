import { SECOND_MS } from '@matchyard/core/domain'
import type { Logger } from '@matchyard/core/ports'
import type { SystemClock } from '@matchyard/node'

/** Minimum time between two log lines in milliseconds, for a clock that is set repeatedly. Metrics count all steps. */
const SILENT_MS = 10 * SECOND_MS

/**
 * Logs each step of the clock by more than a second. A step means that the clock was set, or that the machine was
 * paused.
 */
export function tellClockSteps(clock: SystemClock, logger: Logger): void {
  let toldAt = Number.NEGATIVE_INFINITY
  clock.onStep(({ byMs, at }) => {
    // A step ahead is not time that has passed, so the interval since the previous log line is measured without it.
    const before = byMs > 0 ? at - byMs : at
    if (before - toldAt < SILENT_MS) return
    toldAt = at
    const seconds = Math.abs(byMs) / SECOND_MS
    if (byMs > 0) {
      logger.warn(
        `the machine's clock went ahead by ${seconds} s: it was set, or the machine was paused; it is followed`,
      )
    } else {
      logger.warn(
        `the machine's clock was set back by ${seconds} s: the service goes on from its own time until a restart`,
      )
    }
  })
}
