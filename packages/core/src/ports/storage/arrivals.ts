import { type ArrivalBatch, arrivalsEnd, arrivalsFrom } from '../../lobby/arrival'
import { DAY_MS, type Instant } from '../../shared/time'

/** Milliseconds for which arrivals are kept, from the end of the stay. */
export const ARRIVALS_KEPT_MS = DAY_MS
/**
 * Number of the newest arrivals of one queue that are kept. Arrivals of one commit are kept together, so the number may be exceeded by one
 * commit.
 */
export const ARRIVALS_KEPT = 100_000

export interface ArrivalQuery {
  readonly queueKey: string
  /** Selects batches of this instant or later. */
  readonly since: Instant
  /** Selects batches after the one with this id. */
  readonly after?: string
  /** Maximum number of batches. */
  readonly limit: number
  /** Maximum bytes of JSON of all batches together; the first batch is always returned. */
  readonly maxBytes: number
}

/** Returns the range of ids that a query selects: between `from` and `to`, both excluded. */
export function arrivalsAsked({ queueKey, since, after = '' }: Pick<ArrivalQuery, 'queueKey' | 'since' | 'after'>) {
  const from = arrivalsFrom(queueKey, since)
  return { from: after > from ? after : from, to: arrivalsEnd(queueKey) }
}

export interface ArrivalReaders {
  /**
   * Returns the arrivals of one queue in the order of their ids, which is the order of the commits that ended their stay. The cost grows with
   * the size of the answer.
   */
  list(query: ArrivalQuery): Promise<ArrivalBatch[]>
}
