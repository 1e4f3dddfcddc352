import type { Store } from './store'

/** Elements handled between two yields. */
const BLOCK = 1 << 16
/** A cell with more entries than this is sorted by itself first, so that insertion never turns quadratic. */
const LARGE_CELL = 32

export interface Sorted {
  /** Slots by key, then value (absent ones last), then age. */
  readonly slots: Int32Array
  /** Their values. */
  readonly values: Float64Array
}

/**
 * Sorts slots by (key, value, age) in a time that grows with their number alone, for values spread not too unevenly: every
 * key gets as many cells as it has slots, cells divide the key's range of values evenly, slots are scattered into them, and
 * one insertion pass settles each cell (Neubert's flashsort, with a key).
 */
export function* bulkSort(
  store: Store,
  input: Int32Array,
  count: number,
  key: Int32Array,
  keys: number,
): Generator<undefined, Sorted, undefined> {
  const value = store.order
  const sizes = new Int32Array(keys + 1)
  const least = new Float64Array(keys + 1).fill(Number.POSITIVE_INFINITY)
  const most = new Float64Array(keys + 1).fill(Number.NEGATIVE_INFINITY)
  for (let from = 0; from < count; from += BLOCK) {
    measure(input, from, Math.min(count, from + BLOCK), key, value, sizes, least, most)
    yield
  }
  const scale = new Float64Array(keys + 1)
  const base = new Int32Array(keys + 1)
  let cells = 0
  for (let k = 0; k <= keys; k++) {
    const size = sizes[k] as number
    if (size === 0) continue
    const spread = (most[k] as number) - (least[k] as number)
    scale[k] = spread > 0 && spread < Number.POSITIVE_INFINITY ? (size - 1) / spread : 0
    base[k] = cells
    cells += size + 1
  }
  const cellOf = new Int32Array(count)
  const starts = new Int32Array(cells + 1)
  for (let from = 0; from < count; from += BLOCK) {
    assign(input, from, Math.min(count, from + BLOCK), key, value, sizes, least, scale, base, cellOf, starts)
    yield
  }
  let sum = 0
  for (let cell = 0; cell <= cells; cell++) {
    const size = starts[cell] as number
    starts[cell] = sum
    sum += size
  }
  const slots = new Int32Array(count)
  const values = new Float64Array(count)
  for (let from = 0; from < count; from += BLOCK) {
    scatter(input, from, Math.min(count, from + BLOCK), value, cellOf, starts, slots, values)
    yield
  }
  for (let cell = 0, from = 0; cell < cells; ) {
    const until = Math.min(count, from + BLOCK)
    while (cell < cells && from < until) {
      const end = starts[cell++] as number
      settle(store, slots, values, from, end)
      from = end
    }
    if (from === count) break
    yield
  }
  return { slots, values }
}

const measure = (
  input: Int32Array,
  from: number,
  to: number,
  key: Int32Array,
  value: Float64Array,
  sizes: Int32Array,
  least: Float64Array,
  most: Float64Array,
): void => {
  for (let index = from; index < to; index++) {
    const slot = input[index] as number
    const k = key[slot] as number
    const v = value[slot] as number
    sizes[k] = (sizes[k] as number) + 1
    if (v < (least[k] as number)) least[k] = v
    if (v > (most[k] as number)) most[k] = v
  }
}

const assign = (
  input: Int32Array,
  from: number,
  to: number,
  key: Int32Array,
  value: Float64Array,
  sizes: Int32Array,
  least: Float64Array,
  scale: Float64Array,
  base: Int32Array,
  cellOf: Int32Array,
  starts: Int32Array,
): void => {
  for (let index = from; index < to; index++) {
    const slot = input[index] as number
    const k = key[slot] as number
    const v = value[slot] as number
    // An absent value compares with nothing: it goes to the key's last cell.
    const within =
      v >= (least[k] as number) ? ((v - (least[k] as number)) * (scale[k] as number)) | 0 : (sizes[k] as number)
    const cell = (base[k] as number) + within
    cellOf[index] = cell
    starts[cell] = (starts[cell] as number) + 1
  }
}

/** Afterwards `starts[cell]` is the cell's end. */
const scatter = (
  input: Int32Array,
  from: number,
  to: number,
  value: Float64Array,
  cellOf: Int32Array,
  starts: Int32Array,
  slots: Int32Array,
  values: Float64Array,
): void => {
  for (let index = from; index < to; index++) {
    const slot = input[index] as number
    const cell = cellOf[index] as number
    const at = starts[cell] as number
    starts[cell] = at + 1
    slots[at] = slot
    values[at] = value[slot] as number
  }
}

/** Sorts one cell by value, then age; all its values are present, or all are absent. */
const settle = (store: Store, slots: Int32Array, values: Float64Array, from: number, to: number): void => {
  if (to - from > LARGE_CELL) {
    settleLarge(store, slots, values, from, to)
    return
  }
  for (let index = from + 1; index < to; index++) {
    const slot = slots[index] as number
    const value = values[index] as number
    let at = index
    while (at > from) {
      const before = values[at - 1] as number
      if (before < value || (!(before > value) && !store.older(slot, slots[at - 1] as number))) break
      slots[at] = slots[at - 1] as number
      values[at] = before
      at--
    }
    slots[at] = slot
    values[at] = value
  }
}

const settleLarge = (store: Store, slots: Int32Array, values: Float64Array, from: number, to: number): void => {
  const value = store.order
  const before = (a: number, b: number): boolean => {
    const va = value[a] as number
    const vb = value[b] as number
    return va < vb || (!(va > vb) && store.older(a, b))
  }
  let sorted = true
  for (let index = from + 1; index < to && sorted; index++) {
    sorted = !before(slots[index] as number, slots[index - 1] as number)
  }
  if (sorted) return
  slots.subarray(from, to).sort((a, b) => (before(a, b) ? -1 : 1))
  for (let index = from; index < to; index++) values[index] = value[slots[index] as number] as number
}
