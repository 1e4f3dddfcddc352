import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../shared/time'

/** Milliseconds from a failed attempt to the next; the last one goes on until the end. */
export const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
] as const

/** How long a message is tried, from its delivery's making. */
export const TRIED_FOR_MS = 3 * DAY_MS

/** Each wait is a tenth longer or shorter, so that what failed together does not come again together. */
export const JITTER = 0.1
const STEPS = 1_000

/** When to try again after `attempts` failures; undefined where it is given up. `draw(n)` is uniform in 0..n-1. */
export function nextAttemptAt(
  { attempts, createdAt }: { readonly attempts: number; readonly createdAt: Instant },
  at: Instant,
  draw: (below: number) => number,
): Instant | undefined {
  const delay = RETRY_DELAYS_MS[Math.min(attempts, RETRY_DELAYS_MS.length) - 1] ?? RETRY_DELAYS_MS[0]
  const next = at + Math.round(delay * (1 - JITTER + (2 * JITTER * draw(STEPS + 1)) / STEPS))
  return next > createdAt + TRIED_FOR_MS ? undefined : next
}
