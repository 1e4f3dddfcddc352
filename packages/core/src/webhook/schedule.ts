import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../shared/time'

/** Milliseconds from each failed attempt to the next attempt. The last delay repeats until the delivery is given up. */
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

/** Milliseconds after the creation of a delivery for which the service attempts to send it. */
export const TRIED_FOR_MS = 3 * DAY_MS

/** Share by which each delay varies at random, up or down. Deliveries that failed together are thus not retried together. */
export const JITTER = 0.1
const STEPS = 1_000

/**
 * Returns the instant of the next attempt after `attempts` failures; undefined when the delivery is given up. `draw(n)` returns a number
 * from 0 to n-1, uniformly distributed.
 */
export function nextAttemptAt(
  { attempts, createdAt }: { readonly attempts: number; readonly createdAt: Instant },
  at: Instant,
  draw: (below: number) => number,
): Instant | undefined {
  const delay = RETRY_DELAYS_MS[Math.min(attempts, RETRY_DELAYS_MS.length) - 1] ?? RETRY_DELAYS_MS[0]
  const next = at + Math.round(delay * (1 - JITTER + (2 * JITTER * draw(STEPS + 1)) / STEPS))
  return next > createdAt + TRIED_FOR_MS ? undefined : next
}
