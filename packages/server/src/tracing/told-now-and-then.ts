import type { JsonObject } from '@matchyard/core'

/**
 * Milliseconds between two reports. Without a collector every batch of spans fails, and a batch is sent every few
 * seconds.
 */
const ONCE_IN_MS = 60_000
const MAX_LENGTH = 300

/**
 * Returns a function that reports an error of tracing at most once a minute, with the number of errors since the last
 * report.
 */
export function toldNowAndThen(
  tell: (message: string, fields: JsonObject) => void,
  now: () => number,
): (complaint: unknown) => void {
  let toldAt = Number.NEGATIVE_INFINITY
  let untold = 0
  return (complaint) => {
    untold++
    const at = now()
    if (at - toldAt < ONCE_IN_MS) return
    tell('traces could not be sent', { error: String(complaint).slice(0, MAX_LENGTH), times: untold })
    toldAt = at
    untold = 0
  }
}
