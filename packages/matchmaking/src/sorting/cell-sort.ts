import type { TicketColumns } from '../columns/ticket-columns'
import { mergeSort } from './merge-sort'

/** Parts with fewer entries are sorted by insertion at once. */
const SMALL = 24
/** Cells with more entries are sorted by comparison, so that insertion never takes quadratic time. */
const LARGE_CELL = 32
/**
 * Parts with more entries are sorted by comparison, with yields: a part so large has values that are too unevenly
 * spread for cells.
 */
const LARGE_PART = 1 << 13

/**
 * Sorts parts of a column of slots by value and age. A part is small enough for the fastest cache. The range of its
 * values is divided evenly into as many cells as the part has entries. The entries are put into their cells, and then
 * one insertion pass sorts them (Neubert's flashsort).
 */
export class CellSort {
  private readonly spareSlots = new Int32Array(LARGE_PART)
  private readonly spareValues = new Float64Array(LARGE_PART)
  private readonly cellOf = new Int32Array(LARGE_PART)
  private readonly starts = new Int32Array(LARGE_PART + 1)

  constructor(
    private readonly columns: TicketColumns,
    private readonly slots: Int32Array,
    private readonly values: Float64Array,
  ) {}

  /** Whether a part is so large that the caller must sort it with `large`. */
  isLarge(from: number, to: number): boolean {
    return to - from > LARGE_PART
  }

  /** Sorts a part of any size by comparison, with yields. */
  *large(from: number, to: number): Generator<undefined, void, undefined> {
    yield* mergeSort(this.slots, this.before, from, to)
    const { order } = this.columns
    for (let index = from; index < to; index++) {
      this.values[index] = order[this.slots[index] as number] as number
      if (index % LARGE_PART === 0) yield
    }
  }

  /** Sorts a short range of slots. Either all slots of the range have a value, or none of them has a value. */
  small(from: number, to: number): void {
    const { values } = this
    if (to - from <= SMALL) {
      this.insert(from, to)
      return
    }
    let least = Number.POSITIVE_INFINITY
    let most = Number.NEGATIVE_INFINITY
    for (let index = from; index < to; index++) {
      const value = values[index] as number
      if (value < least) least = value
      if (value > most) most = value
    }
    // All values are absent or equal, so the age alone decides the order.
    const scale = (to - from - 1) / (most - least)
    if (!(scale > 0) || scale === Number.POSITIVE_INFINITY) this.byComparing(from, to)
    else this.byCells(from, to, least, scale)
  }

  private byCells(from: number, to: number, least: number, scale: number): void {
    const { slots, values, spareSlots, spareValues, cellOf, starts } = this
    const count = to - from
    starts.fill(0, 0, count + 1)
    for (let index = 0; index < count; index++) {
      const value = values[from + index] as number
      const cell = ((value - least) * scale) | 0
      spareValues[index] = value
      spareSlots[index] = slots[from + index] as number
      cellOf[index] = cell
      starts[cell] = (starts[cell] as number) + 1
    }
    let sum = from
    let largest = 0
    for (let cell = 0; cell < count; cell++) {
      const size = starts[cell] as number
      starts[cell] = sum
      sum += size
      if (size > largest) largest = size
    }
    for (let index = 0; index < count; index++) {
      const cell = cellOf[index] as number
      const at = starts[cell] as number
      starts[cell] = at + 1
      slots[at] = spareSlots[index] as number
      values[at] = spareValues[index] as number
    }
    if (largest > LARGE_CELL) {
      // From here on `starts[cell]` is the end of the cell.
      for (let cell = 0, start = from; cell < count; start = starts[cell++] as number) {
        const end = starts[cell] as number
        if (end - start > LARGE_CELL) this.byComparing(start, end)
      }
    }
    this.insert(from, to)
  }

  private insert(from: number, to: number): void {
    const { columns, slots, values } = this
    for (let index = from + 1; index < to; index++) {
      const value = values[index] as number
      let before = values[index - 1] as number
      if (before < value) continue
      const slot = slots[index] as number
      let at = index
      while (at > from) {
        before = values[at - 1] as number
        if (before < value || (!(before > value) && !columns.older(slot, slots[at - 1] as number))) break
        slots[at] = slots[at - 1] as number
        values[at] = before
        at--
      }
      slots[at] = slot
      values[at] = value
    }
  }

  private byComparing(from: number, to: number): void {
    const { slots, values, before } = this
    let sorted = true
    for (let index = from + 1; index < to && sorted; index++) {
      sorted = !before(slots[index] as number, slots[index - 1] as number)
    }
    if (sorted) return
    slots.subarray(from, to).sort((a, b) => (before(a, b) ? -1 : 1))
    const { order } = this.columns
    for (let index = from; index < to; index++) values[index] = order[slots[index] as number] as number
  }

  private readonly before = (a: number, b: number): boolean => this.columns.before(a, b)
}
