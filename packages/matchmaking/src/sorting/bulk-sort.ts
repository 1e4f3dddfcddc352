import type { TicketColumns } from '../columns/ticket-columns'
import { CellSort } from './cell-sort'

/** Number of slots handled between two yields of the generator. */
const BLOCK = 1 << 14
/** Approximate number of slots in a part (see `bulkSort`): as many as fit into the fastest cache. */
const PART = 1 << 10
/** Factor below 1. With it, the largest value of a key falls into the last part of the key in spite of rounding. */
const BELOW_ONE = 1 - 2 ** -40

export interface Sorted {
  /**
   * Slots of the waiting tickets, in order of key (the number of the ticket's bucket), then of the ticket's value with
   * absent values last, then of age.
   */
  readonly slots: Int32Array
  /** Value of each slot in `slots`, in the same order. */
  readonly values: Float64Array
  /** Index in `slots` at which each key begins; the last entry is the end of the last key. */
  readonly runs: Int32Array
}

/**
 * State that the passes of a sort share: the columns; and for each key the number of slots, the range of values and the
 * parts.
 */
interface Keys {
  readonly key: Int32Array
  readonly value: Float64Array
  readonly alive: Uint8Array
  readonly sizes: Int32Array
  readonly least: Float64Array
  readonly most: Float64Array
  readonly scale: Float64Array
  /** By key: the index of its first part. */
  readonly base: Int32Array
  /** By key: the index of its last part, which holds the slots without a value. */
  readonly last: Int32Array
}

/**
 * Sorts the slots of all waiting tickets by key (the number of the ticket's bucket), then value, then age. The time is
 * linear in the number of slots when values are spread fairly evenly. The range of values of each key is divided into
 * parts of about a thousand slots. One pass puts every slot into its part, and then each part is sorted.
 */
export function* bulkSort(
  columns: TicketColumns,
  key: Int32Array,
  keys: number,
): Generator<undefined, Sorted, undefined> {
  const known: Keys = {
    key,
    value: columns.order,
    alive: columns.alive,
    sizes: new Int32Array(keys + 1),
    least: new Float64Array(keys + 1).fill(Number.POSITIVE_INFINITY),
    most: new Float64Array(keys + 1).fill(Number.NEGATIVE_INFINITY),
    scale: new Float64Array(keys + 1),
    base: new Int32Array(keys + 1),
    last: new Int32Array(keys + 1),
  }
  for (let from = 0; from < columns.high; from += BLOCK) {
    measure(known, from, Math.min(columns.high, from + BLOCK))
    yield
  }
  const { parts, count, runs } = divide(known, keys)
  yield
  const partOf = new Int32Array(columns.high)
  const starts = new Int32Array(parts + 1)
  for (let from = 0; from < columns.high; from += BLOCK) {
    assign(known, from, Math.min(columns.high, from + BLOCK), partOf, starts)
    yield
  }
  for (let part = 0, sum = 0; part <= parts; part++) {
    const size = starts[part] as number
    starts[part] = sum
    sum += size
  }
  const slots = new Int32Array(count)
  const values = new Float64Array(count)
  for (let from = 0; from < columns.high; from += BLOCK) {
    deal(known, from, Math.min(columns.high, from + BLOCK), partOf, starts, slots, values)
    yield
  }
  const cells = new CellSort(columns, slots, values)
  for (let part = 0, from = 0, done = 0; part < parts; part++) {
    // After the call of `deal`, each entry of `starts` is the end of its part.
    const end = starts[part] as number
    if (cells.isLarge(from, end)) yield* cells.large(from, end)
    else if (end - from > 1) cells.small(from, end)
    from = end
    if (from - done > BLOCK / 2) {
      done = from
      yield
    }
  }
  return { slots, values, runs }
}

const measure = ({ key, value, alive, sizes, least, most }: Keys, from: number, to: number): void => {
  for (let slot = from; slot < to; slot++) {
    if (alive[slot] !== 1) continue
    const k = key[slot] as number
    const v = value[slot] as number
    sizes[k] = (sizes[k] as number) + 1
    if (v < (least[k] as number)) least[k] = v
    if (v > (most[k] as number)) most[k] = v
  }
}

const divide = ({ sizes, least, most, scale, base, last }: Keys, keys: number) => {
  let parts = 0
  let count = 0
  let length = 0
  const runs = new Int32Array(keys + 2)
  for (let k = 0; k <= keys; k++) {
    const size = sizes[k] as number
    if (size === 0) continue
    const number = Math.max(1, Math.round(size / PART))
    const spread = (most[k] as number) - (least[k] as number)
    scale[k] = spread > 0 && spread < Number.POSITIVE_INFINITY ? (number * BELOW_ONE) / spread : 0
    base[k] = parts
    last[k] = parts + number
    parts += number + 1
    runs[length++] = count
    count += size
  }
  runs[length++] = count
  return { parts, count, runs: runs.subarray(0, length) }
}

const assign = (
  { key, value, alive, least, scale, base, last }: Keys,
  from: number,
  to: number,
  partOf: Int32Array,
  starts: Int32Array,
): void => {
  for (let slot = from; slot < to; slot++) {
    if (alive[slot] !== 1) continue
    const k = key[slot] as number
    const v = value[slot] as number
    // An absent value is NaN, so the comparison below is false.
    const above = v - (least[k] as number)
    const part = above >= 0 ? (base[k] as number) + ((above * (scale[k] as number)) | 0) : (last[k] as number)
    partOf[slot] = part
    starts[part] = (starts[part] as number) + 1
  }
}

const deal = (
  { value, alive }: Keys,
  from: number,
  to: number,
  partOf: Int32Array,
  starts: Int32Array,
  slots: Int32Array,
  values: Float64Array,
): void => {
  for (let slot = from; slot < to; slot++) {
    if (alive[slot] !== 1) continue
    const part = partOf[slot] as number
    const at = starts[part] as number
    starts[part] = at + 1
    slots[at] = slot
    values[at] = value[slot] as number
  }
}
