import type { Store } from '../store'

/**
 * The sorted slots that are to be paired, and who is paired with whom. Local numbers (places in this view) are used inside a
 * solve, so that its arrays are small and read in order.
 */
export interface PairView {
  readonly store: Store
  /** Slots by (bucket, value, age). */
  readonly slots: Int32Array
  readonly values: Float64Array
  readonly count: number
  /** Where each bucket begins, and where the last one ends. */
  readonly runs: Int32Array
  /** By place: the partner's place, or −1. */
  readonly mate: Int32Array
  /** By place, in the common case of one mask: the mask, so that a sweep reads memory in order. */
  masks: Uint16Array | undefined
  /** Set when a bound cut the search short, so that what is left may still hold a pair. */
  capped: boolean
}

/**
 * Pairs a view under one `difference` bound (`reach`) alone, in one sweep, exactly.
 *
 * Neighbours in sorted order no further apart than the bound form runs. A run of even length is paired off neighbour by
 * neighbour. From a run of odd length exactly one ticket stays: a place of even number (from 0) always may, one of odd number
 * may where its two neighbours fit each other; it is the youngest of those. That serves by age, serves the most, and leaves
 * the least spread (consecutive chunks in sorted order).
 *
 * Returns the places (from, to) of runs where a pair turned out to share a player; those are left unpaired for the general
 * search.
 */
export const pairLinearly = (view: PairView, reach: number, from: number, to: number, shared: number[]): number => {
  const { store, slots, values, mate } = view
  const { bucket, playerHash } = store
  let start = from
  while (start < to) {
    let end = start + 1
    const key = bucket[slots[start] as number]
    while (
      end < view.count &&
      (values[end] as number) - (values[end - 1] as number) <= reach &&
      bucket[slots[end] as number] === key
    ) {
      end++
    }
    const left = (end - start) % 2 === 0 ? end : youngestToLeave(view, reach, start, end)
    let doubled = false
    for (let a = start; a < end; ) {
      if (a === left) {
        a++
        continue
      }
      const b = a + 1 === left ? a + 2 : a + 1
      mate[a] = b
      mate[b] = a
      if (playerHash[slots[a] as number] === playerHash[slots[b] as number]) doubled = true
      a = b + 1
    }
    if (doubled) {
      mate.fill(-1, start, end)
      shared.push(start, end)
    }
    start = end
  }
  return start
}

const youngestToLeave = (view: PairView, reach: number, start: number, end: number): number => {
  const { store, slots, values } = view
  let youngest = start
  for (let place = start + 1; place < end; place++) {
    const odd = (place - start) % 2 === 1
    if (odd && (values[place + 1] as number) - (values[place - 1] as number) > reach) continue
    if (store.older(slots[youngest] as number, slots[place] as number)) youngest = place
  }
  return youngest
}
