import { popcount16 } from '../region-mask'
import type { PairView } from './linear'
import type { PairRules } from './pair-rules'

/** Tickets passed over that wait for a partner further on, nearest last; the regions of one rule need 16 at most. */
const MAX_WAITING = 1 << 12

/**
 * A first matching: in order, each ticket takes the nearest one before it that still waits and fits. Those that wait fit
 * nobody among themselves, so what is left has no pair in it (within one bucket), and there are never many of them: under one
 * `region` rule they have no region in common.
 */
export const pairGreedily = (view: PairView, rules: PairRules, from: number, to: number): number => {
  const { store, slots, values, count, mate } = view
  const { bucket } = store
  const waiting = new Int32Array(MAX_WAITING)
  let place = from
  while (place < to) {
    const key = bucket[slots[place] as number]
    let first = 0
    let last = 0
    for (; place < count && bucket[slots[place] as number] === key; place++) {
      const value = values[place] as number
      while (first < last && value - (values[waiting[first] as number] as number) > rules.reach) first++
      let at = last - 1
      while (at >= first && !rules.fits(slots[waiting[at] as number] as number, slots[place] as number)) at--
      if (at >= first) {
        const partner = waiting[at] as number
        mate[partner] = place
        mate[place] = partner
        waiting.copyWithin(at, at + 1, last--)
      } else {
        if (last === waiting.length) {
          // No room: the ones longest passed over are left to the search that follows.
          view.capped = true
          if (first === 0) first = waiting.length >> 1
          waiting.copyWithin(0, first, last)
          last -= first
          first = 0
        }
        waiting[last++] = place
      }
    }
  }
  return place
}

/** The same for the common case: one bound and at most one list of regions, everyone equally relaxed. */
export const pairGreedilyByMask = (view: PairView, rules: PairRules, from: number, to: number): number => {
  const { store, slots, values, count, mate } = view
  const { bucket, playerHash } = store
  const { reach, quickNeed: need } = rules
  const masks = view.masks as Uint16Array
  const waiting = new Int32Array(MAX_WAITING)
  let place = from
  while (place < to) {
    const key = bucket[slots[place] as number]
    let first = 0
    let last = 0
    for (; place < count; place++) {
      const slot = slots[place] as number
      if (bucket[slot] !== key) break
      const value = values[place] as number
      while (first < last && value - (values[waiting[first] as number] as number) > reach) first++
      const own = masks[place] as number
      let at = last - 1
      for (; at >= first; at--) {
        const common = own & (masks[waiting[at] as number] as number)
        if (need === 1 ? common !== 0 : popcount16(common) >= need) {
          const other = slots[waiting[at] as number] as number
          if (playerHash[slot] !== playerHash[other] || !rules.samePlayer(slot, other)) break
        }
      }
      if (at >= first) {
        const partner = waiting[at] as number
        mate[partner] = place
        mate[place] = partner
        for (let index = at + 1; index < last; index++) waiting[index - 1] = waiting[index] as number
        last--
      } else {
        if (last === waiting.length) {
          view.capped = true
          if (first === 0) first = waiting.length >> 1
          waiting.copyWithin(0, first, last)
          last -= first
          first = 0
        }
        waiting[last++] = place
      }
    }
  }
  return place
}
