import { type ArrivalBatch, arrivalsEnd, arrivalsFrom } from '../../lobby/arrival'
import { DAY_MS, type Instant } from '../../shared/time'

/** Milliseconds for which an arrival (the record of a stay in a queue) is kept, from the end of the stay. */
export const ARRIVALS_KEPT_MS = DAY_MS
/**
 * Number of arrivals that are kept for one queue, the newest first. The arrivals of one commit are kept together, so the number may be
 * exceeded by those of one commit.
 */
export const ARRIVALS_KEPT = 100_000

export interface ArrivalQuery {
  readonly queueKey: string
  /** Selects the batches of this instant and later ones. */
  readonly since: Instant
  /** Selects batches after the one with this id. */
  readonly after?: string
  /** Maximum number of batches of finished stays in the queue. */
  readonly limit: number
  /** Maximum bytes of JSON of all batches together; the first batch is returned even when it is larger. */
  readonly maxBytes: number
}

/** Returns the bounds of the ids that a query selects: the ids between `from` and `to`, without these two. */
export function arrivalsAsked({ queueKey, since, after = '' }: Pick<ArrivalQuery, 'queueKey' | 'since' | 'after'>) {
  const from = arrivalsFrom(queueKey, since)
  return { from: after > from ? after : from, to: arrivalsEnd(queueKey) }
}

export interface ArrivalReaders {
  /**
   * Returns the arrivals of one queue in the order of their ids, which is the order of the commits that ended the stays. The cost grows
   * with the size of the answer.
   */
  list(query: ArrivalQuery): Promise<ArrivalBatch[]>
}
