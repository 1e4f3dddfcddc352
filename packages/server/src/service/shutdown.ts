import type { Logger, Timers } from '@matchyard/core/ports'
import { MAX_DRAIN_SECONDS } from '../config/environment'

/** Maximum milliseconds that running requests get to end. The bound of the whole stop may leave less time. */
const GRACE_MS = 10_000
/**
 * Milliseconds after which all callers must have been answered or cut off. The rest of the stop (writing the last
 * presence, closing database connections) then ends within `STOP_WITHIN_MS`.
 */
const LET_GO_WITHIN_MS = 17_000
/** Maximum milliseconds of a whole stop. Process managers wait 20 seconds or more before they kill a process. */
const STOP_WITHIN_MS = 19_500

/**
 * Returns for how many milliseconds a stop still accepts calls, and for how many milliseconds it then waits for running
 * requests.
 */
export function drainTimes(drainMs = 0): { readonly takeMs: number; readonly graceMs: number } {
  const takeMs = Math.min(drainMs, MAX_DRAIN_SECONDS * 1_000)
  return { takeMs, graceMs: Math.min(GRACE_MS, LET_GO_WITHIN_MS - takeMs) }
}

/**
 * Runs a stop, and ends the process when the stop takes longer than 19.5 seconds. No acknowledged data is lost, as
 * after a crash.
 */
export async function withinTheTime(
  stop: () => Promise<void>,
  { timers, logger, exit }: { readonly timers: Timers; readonly logger: Logger; readonly exit: () => void },
): Promise<void> {
  const cancel = timers.after(STOP_WITHIN_MS, () => {
    logger.error('the stop takes too long, and is cut off', { after_ms: STOP_WITHIN_MS })
    exit()
  })
  try {
    await stop()
  } finally {
    cancel()
  }
}
