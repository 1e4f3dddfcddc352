import type { TicketColumns } from '../columns/ticket-columns'
import type { OrderedIndex } from '../sorting/ordered-index'
import type { PairRulesAt } from './pair-rules-at'

/**
 * Finds in an index the tickets that could be in a match with the ticket of a slot. The slot itself need not be in that
 * index.
 */
export class Nearby {
  /** One slot of each bucket in the index; undefined until it is needed. */
  private buckets: number[] | undefined

  constructor(
    private readonly columns: TicketColumns,
    private readonly index: OrderedIndex,
    private readonly beside: PairRulesAt,
  ) {}

  /** Clears the stored buckets. The caller must call it when the index has changed. */
  forget(): void {
    this.buckets = undefined
  }

  /**
   * Returns, by bucket, the spans (from, to) of places in the index whose tickets may fit the slot; the spans may
   * include removed tickets. `crossing` says whether tickets of other buckets may fit.
   */
  spans(slot: number, level: number, crossing: boolean): [number, number][] {
    const { columns, index } = this
    const [order] = columns.ranges
    const reach = columns.levels.ranges[0]?.[level] ?? Number.POSITIVE_INFINITY
    // An absent value is NaN, and so are the bounds computed from it. Then the search returns the whole bucket.
    const own = order ? (order.low[slot] as number) : Number.NaN
    const top = order ? (order.high[slot] as number) : Number.NaN
    // The reach used here is slightly larger than the rule's bound, because sums are rounded; the caller compares
    // exactly.
    const slack = (Math.abs(own) + Math.abs(top) + reach) * 2 ** -50
    const low = top - reach - slack
    const high = own + reach + slack
    const buckets = crossing ? this.bucketsFor(slot, level) : [columns.bucket[slot] as number]
    return buckets.flatMap((bucket) => (Number.isNaN(low) ? [index.rangeOf(bucket)] : index.within(bucket, low, high)))
  }

  private bucketsFor(slot: number, level: number): number[] {
    const { columns, index } = this
    if (!this.buckets) {
      this.buckets = []
      let bucket = -1
      for (let place = 0; place < index.length; place++) {
        const other = index.slots[place] as number
        if (columns.bucket[other] !== bucket) this.buckets.push(other)
        bucket = columns.bucket[other] as number
      }
    }
    return this.buckets
      .filter((other) => this.beside.keysFit(slot, other, level))
      .map((other) => columns.bucket[other] as number)
  }
}
