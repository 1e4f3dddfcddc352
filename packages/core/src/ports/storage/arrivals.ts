import { type ArrivalBatch, arrivalsEnd, arrivalsFrom } from '../../lobby/arrival'
import { DAY_MS, type Instant } from '../../shared/time'

/** How long arrivals are kept, in milliseconds from the end of the stay. */
export const ARRIVALS_KEPT_MS = DAY_MS
/** Arrivals of one queue that are kept, the newest: with those of one commit that is kept in part, all of that commit. */
export const ARRIVALS_KEPT = 100_000

export interface ArrivalQuery {
  readonly queueKey: string
  /** Only batches of this instant or later. */
  readonly since: Instant
  /** Only those that come after the one of this id. */
  readonly after?: string
  /** Batches. */
  readonly limit: number
  /** Bytes of JSON of all of them; one is always told. */
  readonly maxBytes: number
}

/** The ids that a query asks for: those between these two. */
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
