/**
 * Fixed buckets of spreads (the difference between the highest and the lowest value of a field in a match). The first holds spreads below
 * 0.01. Each further bucket ends 1.4 times higher than the bucket before it; the last one holds spreads from about 2 million on. All nodes,
 * queues and steps have the same buckets, so histograms add up.
 */
const BUCKETS = 60
const FIRST = 0.01
const GROWTH = 1.4

/** Returns the lowest spread of a bucket. */
const startOf = (bucket: number): number => (bucket === 0 ? 0 : FIRST * GROWTH ** (bucket - 1))

/** Number of the characters of a key before the name of the field. */
const PREFIX = 3

/** Keys of the buckets, in the order of the spreads: `00` to `59`. */
export const SPREAD_BUCKETS: readonly string[] = Array.from({ length: BUCKETS }, (_, bucket) =>
  `${bucket}`.padStart(2, '0'),
)

/** Returns the key of the bucket that holds a spread of a field. */
export function spreadKey(field: string, spread: number): string {
  let bucket = 0
  while (bucket < BUCKETS - 1 && spread >= startOf(bucket + 1)) bucket++
  return `${SPREAD_BUCKETS[bucket]} ${field}`
}

/** Returns the field of a key. */
export const fieldOfSpread = (key: string): string => key.slice(PREFIX)

/** Returns the key of the same bucket without a field. Spreads of fields without rows of their own are counted there. */
export const withoutField = (key: string): string => key.slice(0, PREFIX)

/** Spreads of a field in matches. */
export interface SpreadPercentiles {
  /** Median. */
  readonly p50: number
  /** p90. */
  readonly p90: number
  /** p99. */
  readonly p99: number
}

/** Number of matches of a bucket of a field. */
interface SpreadCount {
  readonly key: string
  readonly count: number
}

/** Returns the number of matches that were counted for the field with the most matches. */
export function matchesOfSpreads(counts: readonly SpreadCount[]): number {
  const byField = new Map<string, number>()
  for (const { key, count } of counts) {
    const field = fieldOfSpread(key)
    byField.set(field, (byField.get(field) ?? 0) + count)
  }
  return Math.max(0, ...byField.values())
}

/**
 * Returns nearest-rank percentiles of the spreads of each field, with three significant digits. A result lies in the bucket of the true
 * spread, as if the spreads of a bucket were distributed evenly. So it differs from the true spread by at most two fifths of it.
 */
export function spreadsByField(counts: readonly SpreadCount[]): Record<string, SpreadPercentiles> {
  const byField = new Map<string, SpreadCount[]>()
  for (const one of counts) {
    const field = fieldOfSpread(one.key)
    if (field === '') continue
    const known = byField.get(field)
    if (known === undefined) byField.set(field, [one])
    else known.push(one)
  }
  return Object.fromEntries([...byField].sort(([a], [b]) => (a < b ? -1 : 1)).map(([field, some]) => [field, of(some)]))
}

function of(counts: readonly SpreadCount[]): SpreadPercentiles {
  const sorted = [...counts].sort((a, b) => (a.key < b.key ? -1 : 1))
  const all = sorted.reduce((sum, { count }) => sum + count, 0)
  const at = (share: number) => {
    let rank = Math.max(1, Math.ceil(all * share))
    for (const { key, count } of sorted) {
      const bucket = Number(key.slice(0, PREFIX))
      if (rank <= count) {
        const end = bucket === BUCKETS - 1 ? startOf(bucket) : startOf(bucket + 1)
        // All spreads of the first bucket count as 0: most of them are.
        const spread = bucket === 0 ? 0 : startOf(bucket) + ((end - startOf(bucket)) * (rank - 0.5)) / count
        return Number(spread.toPrecision(3))
      }
      rank -= count
    }
    return 0
  }
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99) }
}
