import { IntList } from '../columns/typed'
import type { PairView } from './linear'
import type { PairRules } from './pair-rules'

/** Finds the possible partners of a place (position of a ticket) in a view, without storing the possible pairs. */
export class PairGraph {
  /** By bucket: the first and the last place of the tickets without a value. */
  private readonly absent: Map<number, readonly [number, number]> | undefined
  /**
   * Set where a pair may hold tickets of different buckets. `wide`: all places in order of group, then value.
   * `crossers`: only the places that may have partners in other buckets.
   */
  private wide: Int32Array | undefined
  private crossers: Int32Array | undefined
  /** The arguments of the call of `partners` that is running. */
  private into = new IntList()
  private limit = 0
  private freeOnly = false
  private slot = 0

  constructor(
    private readonly view: PairView,
    private readonly rules: PairRules,
  ) {
    if (view.columns.unordered > 0) this.absent = this.findAbsent()
    if (rules.crossing) this.sortWide()
  }

  private findAbsent(): Map<number, readonly [number, number]> {
    const { columns, slots, values, count } = this.view
    const absent = new Map<number, readonly [number, number]>()
    for (let place = 0; place < count; place++) {
      if (!Number.isNaN(values[place])) continue
      const key = columns.bucket[slots[place] as number] as number
      absent.set(key, [absent.get(key)?.[0] ?? place, place + 1])
    }
    return absent
  }

  private sortWide(): void {
    const { columns, slots, count } = this.view
    const wide = Int32Array.from({ length: count }, (_, place) => place)
    const group = (place: number) => columns.group[slots[place] as number] as number
    wide.sort((a, b) => group(a) - group(b) || (columns.before(slots[a] as number, slots[b] as number) ? -1 : 1))
    this.wide = wide
    this.crossers = wide.filter((place) => this.rules.crosses(slots[place] as number))
  }

  /**
   * Collects at most `limit` fitting partners of a place into `into`: first the nearest places to the right, then those
   * to the left, then places in other buckets. With `freeOnly`, only places without a partner are collected.
   */
  partners(place: number, into: IntList, limit: number, freeOnly: boolean): void {
    into.clear()
    this.into = into
    this.limit = limit
    this.freeOnly = freeOnly
    const { columns, slots } = this.view
    this.slot = slots[place] as number
    if (!(this.view.masks ? this.inBucketByMask(place, this.view.masks) : this.inBucket(place))) return
    const across = this.rules.crosses(this.slot) ? this.wide : this.crossers
    if (across) this.partnersAcross(across, place, columns.bucket[this.slot] as number)
  }

  /**
   * Adds the place `other` to the result if it fits; returns false when the limit is reached. This is a method, not a
   * closure, because it is the innermost call of the search.
   */
  private take(other: number): boolean {
    const { view, into } = this
    if (this.freeOnly && view.mate[other] !== -1) return true
    if (this.rules.fits(this.slot, view.slots[other] as number)) into.push(other)
    return into.length < this.limit
  }

  private inBucket(place: number): boolean {
    const { columns, slots, values, count } = this.view
    const { reach } = this.rules
    const bucket = columns.bucket[this.slot] as number
    const value = values[place] as number
    for (let other = place + 1; other < count; other++) {
      if ((values[other] as number) - value > reach || columns.bucket[slots[other] as number] !== bucket) break
      if (!this.take(other)) return false
    }
    for (let other = place - 1; other >= 0; other--) {
      if (value - (values[other] as number) > reach || columns.bucket[slots[other] as number] !== bucket) break
      if (!this.take(other)) return false
    }
    // Tickets without a value fit at any distance. For a place without a value, or without a bound, the loops above
    // have found them already.
    const absent = !Number.isNaN(value) && reach < Number.POSITIVE_INFINITY && this.absent?.get(bucket)
    if (absent) for (let other = absent[0]; other < absent[1]; other++) if (!this.take(other)) return false
    return true
  }

  /**
   * Collects partners in the common case, in which every ticket has a value and one mask decides whether tickets fit.
   * Returns false when the limit is reached.
   */
  private inBucketByMask(place: number, masks: Uint16Array): boolean {
    const { values, runs } = this.view
    const { reach } = this.rules
    const value = values[place] as number
    const mask = masks[place] as number
    const run = runOf(runs, place)
    const to = runs[run + 1] as number
    for (let other = place + 1; other < to && (values[other] as number) - value <= reach; other++) {
      if ((mask & (masks[other] as number)) !== 0 && !this.takeNearby(place, other)) return false
    }
    const from = runs[run] as number
    for (let other = place - 1; other >= from && value - (values[other] as number) <= reach; other--) {
      if ((mask & (masks[other] as number)) !== 0 && !this.takeNearby(place, other)) return false
    }
    return true
  }

  private takeNearby(place: number, other: number): boolean {
    const { view, into } = this
    if (this.freeOnly && view.mate[other] !== -1) return true
    if (this.rules.fitsNearby(view, place, other)) into.push(other)
    return into.length < this.limit
  }

  private partnersAcross(across: Int32Array, place: number, bucket: number): void {
    const { columns, slots, values } = this.view
    const { reach } = this.rules
    const group = columns.group[this.slot] as number
    const value = values[place] as number
    // The small tolerance covers rounding errors. At the edge of the window, the rule itself decides.
    const from = Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value - reach - Math.abs(value) * Number.EPSILON * 4
    for (let index = lowerBound(across, group, from, this.view); index < across.length; index++) {
      const other = across[index] as number
      const otherSlot = slots[other] as number
      if (columns.group[otherSlot] !== group) return
      if ((values[other] as number) - value > reach) {
        // The window ends here. The search continues with the tickets without a value, at the end of the group.
        index = lowerBound(across, group, Number.POSITIVE_INFINITY, this.view) - 1
        continue
      }
      if (columns.bucket[otherSlot] !== bucket && !this.take(other)) return
    }
  }
}

/** Returns the number of the run that contains a place. */
const runOf = (runs: Int32Array, place: number): number => {
  let low = 0
  let high = runs.length - 1
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((runs[middle] as number) <= place) low = middle
    else high = middle
  }
  return low
}

/** Returns the index of the first entry of a group whose value is at least `value`. Absent values count as infinite. */
const lowerBound = (places: Int32Array, group: number, value: number, { columns, slots, values }: PairView): number => {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const place = places[middle] as number
    const own = columns.group[slots[place] as number] as number
    const smaller = own < group || (own === group && (values[place] as number) < value)
    if (smaller) low = middle + 1
    else high = middle
  }
  return low
}
