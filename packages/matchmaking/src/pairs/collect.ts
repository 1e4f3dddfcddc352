import { mergeSort } from '../sorting/merge-sort'
import type { PairView } from './linear'

/** Number of places (positions in the sorted view) that are handled between two yields of the generator. */
const BLOCK = 1 << 14
/**
 * Share of all slots. If the view has more slots than this share, the pairs are sorted by reading through all slots.
 */
const DENSE_SHARE = 1 / 32

/**
 * Returns the pairs of a solved view as a flat list of slots. Each pair begins with its older slot, and the pairs are
 * in the order of age of their first slots.
 */
export function* collectPairs(view: PairView): Generator<undefined, Int32Array, undefined> {
  const { columns, count } = view
  return columns.slotsByAge && count > columns.high * DENSE_SHARE ? yield* bySlot(view) : yield* byComparing(view)
}

/**
 * Sorts the pairs where slots are in order of age: `partner` stores, at the slot of each pair's older ticket, the slot
 * of its partner. Reading `partner` in memory order then gives the pairs in order of age.
 */
function* bySlot({ columns, slots, mate, count }: PairView): Generator<undefined, Int32Array, undefined> {
  /** By slot: the slot of the partner, plus 1. */
  const partner = new Int32Array(columns.high)
  let pairs = 0
  for (let from = 0; from < count; from += BLOCK) {
    pairs += note(slots, mate, partner, from, Math.min(count, from + BLOCK))
    yield
  }
  const flat = new Int32Array(pairs * 2)
  let length = 0
  for (let from = 0; from < columns.high; from += BLOCK) {
    length = flatten(partner, flat, length, from, Math.min(columns.high, from + BLOCK))
    yield
  }
  return flat
}

/** Enters the partners of the places from `from` on into `partner`; returns the number of pairs. */
const note = (slots: Int32Array, mate: Int32Array, partner: Int32Array, from: number, to: number): number => {
  let pairs = 0
  for (let place = from; place < to; place++) {
    const other = mate[place] as number
    if (other < place) continue
    const a = slots[place] as number
    const b = slots[other] as number
    if (a < b) partner[a] = b + 1
    else partner[b] = a + 1
    pairs++
  }
  return pairs
}

/** Appends the pairs entered in `partner` to the flat list; returns its new length. */
const flatten = (partner: Int32Array, flat: Int32Array, length: number, from: number, to: number): number => {
  let end = length
  for (let slot = from; slot < to; slot++) {
    const other = partner[slot] as number
    if (other === 0) continue
    flat[end++] = slot
    flat[end++] = other - 1
  }
  return end
}

function* byComparing({ columns, slots, mate, count }: PairView): Generator<undefined, Int32Array, undefined> {
  const older = (place: number): number => {
    const a = slots[place] as number
    const b = slots[mate[place] as number] as number
    return columns.older(a, b) ? a : b
  }
  /** The place of each pair's first ticket. */
  const places = new Int32Array(count)
  let pairs = 0
  for (let place = 0; place < count; place++) {
    if ((mate[place] as number) > place) places[pairs++] = place
    if (place % BLOCK === BLOCK - 1) yield
  }
  yield* mergeSort(places, (a, b) => columns.older(older(a), older(b)), 0, pairs)
  const flat = new Int32Array(pairs * 2)
  for (let index = 0; index < pairs; index++) {
    const place = places[index] as number
    const first = older(place)
    const one = slots[place] as number
    flat[index * 2] = first
    flat[index * 2 + 1] = first === one ? (slots[mate[place] as number] as number) : one
    if (index % BLOCK === BLOCK - 1) yield
  }
  return flat
}
