import { FIRST_BACKOFF_MS, LONGEST_BACKOFF_MS } from '../times'

/**
 * Returns the milliseconds until the next try: a random time up to a bound that doubles with each failure ("full
 * jitter"). Thousands of clients that lose their connections together therefore reconnect at different times.
 */
export const backoff = (failures: number, chance: number): number =>
  chance * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** failures)
