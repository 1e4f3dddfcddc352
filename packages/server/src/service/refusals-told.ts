import { SECOND_MS } from '@matchyard/core/domain'
import type { Clock, Logger } from '@matchyard/core/ports'

/** A line at the most in so long: who refuses thousands says it once, and how many by the metrics. */
const SILENT_MS = 10 * SECOND_MS

/** Says in the log that calls are refused, now and then. */
export function refusalsTold(logger: Logger, clock: Clock): () => void {
  let toldAt = Number.NEGATIVE_INFINITY
  return () => {
    const now = clock.now()
    if (now - toldAt < SILENT_MS) return
    toldAt = now
    logger.warn('more is asked for than can be done in time; calls are refused with 503 (matchyard_http_refused_total)')
  }
}
