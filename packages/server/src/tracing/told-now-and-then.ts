import type { JsonObject } from '@matchyard/core'

/** A collector that is away is away for every batch, a few seconds each. */
const ONCE_IN_MS = 60_000
const MAX_LENGTH = 300

/** Tells what tracing complains of, once a minute at most, with how often it did meanwhile. */
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
