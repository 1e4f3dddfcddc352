import type { PairView } from './linear'
import type { PairRules } from './pair-rules'

/** Rounds of uncrossing; later ones gain less than a hundredth of the spread. */
const MAX_ROUNDS = 3
/** Places looked at between a ticket and its partner. */
const MAX_BETWEEN = 24

/**
 * Brings partners closer without changing who is served: where two pairs overlap in sorted order, their four tickets are
 * paired anew if that is valid and lowers the total distance. Returns whether anything changed.
 */
export const regroupPairs = (view: PairView, rules: PairRules): void => {
  for (let round = 0; round < MAX_ROUNDS; round++) if (!uncross(view, rules)) return
}

/** An absent value is at no distance from anything. */
const apart = (a: number, b: number): number => (a > b ? a - b : b > a ? b - a : 0)

const uncross = (view: PairView, rules: PairRules): boolean => {
  const { slots, values, count, mate, masks } = view
  let changed = false
  const gap = (a: number, b: number): number => apart(values[a] as number, values[b] as number)
  for (let place = 0; place < count; place++) {
    let far = mate[place] as number
    if (far <= place + 1) continue
    const mask = masks ? (masks[place] as number) : 0
    const farMask = masks ? (masks[far] as number) : 0
    let looked = 0
    for (let between = place + 1; between < far && looked < MAX_BETWEEN; between++) {
      const other = mate[between] as number
      // What has no region in common is passed over before anything else is read.
      if (
        masks &&
        ((mask & (masks[between] as number)) === 0 || other < 0 || (farMask & (masks[other] as number)) === 0)
      ) {
        continue
      }
      // In sorted order only a partner further right can be crossed or nested with a gain.
      if (other <= between || !(gap(place, between) + gap(far, other) < gap(place, far) + gap(between, other))) continue
      if (!rules.fits(slots[place] as number, slots[between] as number)) continue
      looked++
      if (!rules.fits(slots[far] as number, slots[other] as number)) continue
      mate[place] = between
      mate[between] = place
      mate[far] = other
      mate[other] = far
      changed = true
      far = between
      break
    }
  }
  return changed
}
