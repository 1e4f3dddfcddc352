import type { TicketColumns } from '../columns/ticket-columns'
import type { PairRulesAt } from '../pairs/pair-rules-at'
import type { OrderedIndex } from '../sorting/ordered-index'

/** Finds in an index who could be in one match with a slot that the index does not hold. */
export class Nearby {
  /** One slot of every bucket there is, once asked for. */
  private buckets: number[] | undefined

  constructor(
    private readonly columns: TicketColumns,
    private readonly index: OrderedIndex,
    private readonly beside: PairRulesAt,
  ) {}

  /** To be called when the index has changed. */
  forget(): void {
    this.buckets = undefined
  }

  /** Shows whoever may be near, gone tickets too, bucket by bucket, until `enough`. `crossing`: other buckets may suit. */
  show(slot: number, level: number, crossing: boolean, enough: (other: number) => boolean): void {
    const { columns, index } = this
    const [order] = columns.ranges
    const reach = columns.levels.ranges[0]?.[level] ?? Number.POSITIVE_INFINITY
    // An absent value is not a number: then it is no bound either.
    const low = order ? (order.high[slot] as number) - reach : Number.NaN
    const high = order ? (order.low[slot] as number) + reach : Number.NaN
    for (const bucket of crossing ? this.bucketsFor(slot, level) : [columns.bucket[slot] as number]) {
      const [from, to, absent, end] = Number.isNaN(low)
        ? [...index.rangeOf(bucket), 0, 0]
        : index.within(bucket, low, high)
      for (let place = from; place < to; place++) if (enough(index.slots[place] as number)) return
      for (let place = absent; place < end; place++) if (enough(index.slots[place] as number)) return
    }
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
