import type { Logger, Timers } from '@matchyard/core/ports'
import { MAX_DRAIN_SECONDS } from '../config/environment'

/** Requests in hand get this long, where there is as much left of the whole. */
const GRACE_MS = 10_000
/** Callers are let go by then, so that what a stop takes besides (the last sightings, the connections) ends within the time of all. */
const LET_GO_WITHIN_MS = 17_000
/** Process managers give 20 seconds or more, then they kill. */
const STOP_WITHIN_MS = 19_500

/** How long a stop takes calls as before, and then how long it waits for those in hand. */
export function drainTimes(drainMs = 0): { readonly takeMs: number; readonly graceMs: number } {
  const takeMs = Math.min(drainMs, MAX_DRAIN_SECONDS * 1_000)
  return { takeMs, graceMs: Math.min(GRACE_MS, LET_GO_WITHIN_MS - takeMs) }
}

/** Runs a stop, and ends the process where it hangs: nothing that was acknowledged is lost by it, as by no crash. */
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
