import type { HistoryAmount } from '../ports/storage/index'
import { SECOND_MS } from '../shared/time'

/** Waiting times of matched lobbies, in seconds. */
export interface WaitPercentiles {
  /** Median; null without matches. */
  readonly p50: number | null
  /** p90; null without matches. */
  readonly p90: number | null
  /** p99; null without matches. */
  readonly p99: number | null
}

/**
 * Fixed buckets of waiting times. The first holds waits below a second. Each further bucket ends 1.25 times later than the bucket before it;
 * the last one holds waits from about 80 minutes on. All nodes and steps have the same buckets, so histograms add up.
 */
const BUCKETS = 40
const GROWTH = 1.25

/** Returns the start of a bucket in milliseconds. */
const startOf = (bucket: number): number => (bucket === 0 ? 0 : SECOND_MS * GROWTH ** (bucket - 1))

/** Keys of the buckets, in the order of the waits: `00` to `39`. */
export const WAIT_BUCKETS: readonly string[] = Array.from({ length: BUCKETS }, (_, bucket) =>
  `${bucket}`.padStart(2, '0'),
)

/** Returns the key of the bucket that holds a wait. */
export function waitBucket(waitedMs: number): string {
  let bucket = 0
  while (bucket < BUCKETS - 1 && waitedMs >= startOf(bucket + 1)) bucket++
  return WAIT_BUCKETS[bucket] ?? ''
}

/** Number of parties in a bucket, and their longest wait. */
export type BucketCount = Pick<HistoryAmount, 'count' | 'most'> & { readonly key: string }

/**
 * Returns a nearest-rank percentile of the waits, in seconds with one decimal; null without waits. The result lies in the bucket of the true
 * wait, as if the waits of a bucket were spread evenly. So it differs from the true wait by at most a quarter of it, and below a second by
 * at most a second. Waits of the last bucket lie between its start and the longest wait.
 */
export function waitPercentile(buckets: readonly BucketCount[], share: number): number | null {
  const sorted = [...buckets].sort((a, b) => (a.key < b.key ? -1 : 1))
  let rank = Math.max(1, Math.ceil(sorted.reduce((sum, { count }) => sum + count, 0) * share))
  for (const { key, count, most } of sorted) {
    if (rank <= count) {
      const bucket = Number(key)
      const start = startOf(bucket)
      const end = bucket === BUCKETS - 1 ? Math.max(most, start) : Math.min(Math.max(most, start), startOf(bucket + 1))
      return Math.round((start + ((end - start) * (rank - 0.5)) / count) / 100) / 10
    }
    rank -= count
  }
  return null
}
