const FIRST_MS = 500
const LONGEST_MS = 10_000

/**
 * Milliseconds until the next try, after so many failures in a row: anything up to a bound that doubles, so that thousands of clients
 * who were cut off together do not come back together ("full jitter").
 */
export const backoff = (failures: number, chance: number): number =>
  chance * Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 16))
