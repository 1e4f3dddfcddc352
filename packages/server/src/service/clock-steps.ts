import { SECOND_MS } from '@matchyard/core/domain'
import type { Logger } from '@matchyard/core/ports'
import type { SystemClock } from '@matchyard/node'

/** A line at the most in so long: a clock that is set to and fro is counted by the metrics. */
const SILENT_MS = 10 * SECOND_MS

/** Says in the log that the machine's clock was set, or the machine paused, by more than a second. */
export function tellClockSteps(clock: SystemClock, logger: Logger): void {
  let toldAt = Number.NEGATIVE_INFINITY
  clock.onStep(({ byMs, at }) => {
    // By the time before the step: a step itself is no silence.
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
