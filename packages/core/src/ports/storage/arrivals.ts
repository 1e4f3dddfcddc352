import type { ArrivalBatch } from '../../lobby/arrival'
import { DAY_MS, type Instant } from '../../shared/time'

/** How long arrivals are kept, in milliseconds from the end of the stay. */
export const ARRIVALS_KEPT_MS = DAY_MS
/** Arrivals of one queue that are kept, the newest: with those of one commit that is kept in part, all of that commit. */
export const ARRIVALS_KEPT = 100_000

/** Where a batch stands among those of its queue. */
export interface ArrivalPlace {
  readonly leftAt: Instant
  readonly id: string
}

export interface ArrivalQuery {
  readonly queueKey: string
  /** Only batches of this instant or later. */
  readonly since: Instant
  /** Only those that come after this place. */
  readonly after?: ArrivalPlace
  /** Batches. */
  readonly limit: number
  /** Bytes of JSON of all of them; one is always told. */
  readonly maxBytes: number
}

export interface ArrivalReaders {
  /** Of one queue, by the instant of the commit that ended their stay, those of one instant by id. What is told decides the cost. */
  list(query: ArrivalQuery): Promise<ArrivalBatch[]>
}
