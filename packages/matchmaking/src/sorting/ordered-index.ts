import type { TicketColumns } from '../columns/ticket-columns'
import { grown } from '../columns/typed'
import { bulkSort, type Sorted } from './bulk-sort'
import { mergeSort } from './merge-sort'

/** Share of the index. With more new entries than this share, sorting everything is cheaper than merging. */
const REBUILD_SHARE = 1 / 8
/** Number of new slots whose places (positions in the index) are searched between two yields of the generator. */
const PLACED = 1 << 12
/** Number of entries handled between two yields of the generator. */
const BLOCK = 1 << 14

/**
 * The waiting slots in order of bucket, then value, then age, in one array that stays sorted between ticks. The place
 * of a slot is its position in this array. Entries of removed tickets stay until `compact`, so readers must check
 * `columns.alive`.
 */
export class OrderedIndex {
  slots: Int32Array = new Int32Array(64)
  length = 0

  constructor(private readonly columns: TicketColumns) {}

  /** Whether slot `a` comes before slot `b` in the order of the index. */
  before(a: number, b: number): boolean {
    const { bucket } = this.columns
    const key = (bucket[a] as number) - (bucket[b] as number)
    return key < 0 || (key === 0 && this.columns.before(a, b))
  }

  /** Returns the place of a slot in the index, or the place at which the slot would be inserted. */
  placeOf(slot: number): number {
    return this.firstNot((other) => this.before(other, slot))
  }

  /** Returns the places at which a bucket begins and ends. */
  rangeOf(bucket: number): [number, number] {
    const key = this.columns.bucket
    const from = this.firstNot((slot) => (key[slot] as number) < bucket)
    return [from, this.firstNot((slot) => (key[slot] as number) <= bucket)]
  }

  /**
   * Returns two spans of a bucket, each as (from, to): the slots with values from `low` to `high`, and the slots
   * without a value.
   */
  within(bucket: number, low: number, high: number): [number, number][] {
    const { bucket: key, order } = this.columns
    const ends = (isSo: (value: number) => boolean) =>
      this.firstNot((slot) => {
        const own = (key[slot] as number) - bucket
        return own < 0 || (own === 0 && isSo(order[slot] as number))
      })
    return [
      [ends((value) => value < low), ends((value) => value <= high)],
      [ends((value) => !Number.isNaN(value)), ends(() => true)],
    ]
  }

  /** Removes one entry, which must be in the index. */
  remove(slot: number): void {
    const place = this.placeOf(slot)
    this.slots.copyWithin(place, place + 1, this.length--)
  }

  /**
   * Returns the first place for which the condition is false. The condition must be true for all places before, and
   * false for all places after.
   */
  private firstNot(isSo: (slot: number) => boolean): number {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isSo(this.slots[middle] as number)) low = middle + 1
      else high = middle
    }
    return low
  }

  shouldRebuild(arrivals: number): boolean {
    return arrivals > 64 && arrivals > this.length * REBUILD_SHARE
  }

  /** Inserts a few new slots in any order; their tickets must still wait. Returns their places. */
  *insert(arrivals: Int32Array): Generator<undefined, Int32Array, undefined> {
    const batch = arrivals.slice()
    yield* mergeSort(batch, (a, b) => this.before(a, b))
    const places = new Int32Array(batch.length)
    for (let index = 0; index < batch.length; index++) {
      places[index] = this.placeOf(batch[index] as number)
      if (index % PLACED === PLACED - 1) yield
    }
    // From here on the code does not yield: it moves the entries in blocks of memory, which is fast.
    const total = this.length + batch.length
    if (total > this.slots.length) this.slots = grown(this.slots, total * 2)
    let end = this.length
    for (let index = batch.length - 1; index >= 0; index--) {
      const place = places[index] as number
      this.slots.copyWithin(place + index + 1, place, end)
      this.slots[place + index] = batch[index] as number
      places[index] = place + index
      end = place
    }
    this.length = total
    return places
  }

  /** Sorts all waiting slots again from the start. */
  *rebuild(): Generator<undefined, Sorted, undefined> {
    const { columns } = this
    const keys = columns.keys.length === 0 ? columns.groups.size : columns.buckets.size
    const sorted = yield* bulkSort(columns, columns.bucket, keys)
    this.slots = sorted.slots
    this.length = sorted.slots.length
    return sorted
  }

  /** Removes the entries of removed tickets; with `release`, it also releases their slots. */
  *compact(release: boolean): Generator<undefined, void, undefined> {
    const { length } = this
    let kept = 0
    for (let from = 0; from < length; from += BLOCK) {
      kept = this.keep(from, Math.min(length, from + BLOCK), kept, release)
      yield
    }
    this.length = kept
  }

  /**
   * Moves the entries of waiting tickets in a span to the places from `kept` on; returns the place after the last moved
   * entry.
   */
  private keep(from: number, to: number, kept: number, release: boolean): number {
    const { columns, slots } = this
    const { alive } = columns
    let end = kept
    for (let index = from; index < to; index++) {
      const slot = slots[index] as number
      if (alive[slot] === 1) slots[end++] = slot
      else if (release) columns.release(slot)
    }
    return end
  }
}
