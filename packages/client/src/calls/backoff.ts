import { FIRST_BACKOFF_MS, LONGEST_BACKOFF_MS } from '../times'

/**
 * Milliseconds until the next try, after so many failures in a row: anything up to a bound that doubles, so that thousands of clients
 * who were cut off together do not come back together ("full jitter").
 */
export const backoff = (failures: number, chance: number): number =>
  chance * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** failures)
