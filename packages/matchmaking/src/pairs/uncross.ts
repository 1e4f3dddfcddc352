import type { PairView } from './linear'
import type { PairRules } from './pair-rules'

/** Most rounds of exchanges between pairs; later rounds gain less than one percent of the spread. */
const MAX_ROUNDS = 3
/** Most exchanges that are tried with the tickets between a ticket and its partner. */
const MAX_BETWEEN = 24
/** Number of places (positions in the view) that are examined between two yields of the generator. */
const STEPS = 1 << 15

/**
 * Brings partners closer together without changing the served tickets. Where two pairs overlap in sorted order, their
 * four tickets are paired anew if that is valid and lowers the total distance.
 */
export function* regroupPairs(view: PairView, rules: PairRules): Generator<undefined, void, undefined> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const uncross = new Uncross(view, rules)
    while (uncross.advance(STEPS)) yield
    if (!uncross.changed) return
  }
}

/** Returns the distance of two values; 0 when at least one value is absent. */
const apart = (a: number, b: number): number => (a > b ? a - b : b > a ? b - a : 0)

export class Uncross {
  changed = false
  private place = 0

  constructor(
    private readonly view: PairView,
    private readonly rules: PairRules,
  ) {}

  /** Examines about `steps` places, counting the places between partners; returns whether further places remain. */
  advance(steps: number): boolean {
    const { count, mate, masks } = this.view
    let left = steps
    for (; this.place < count && left > 0; this.place++, left--) {
      const far = mate[this.place] as number
      if (far <= this.place + 1) continue
      left -= masks ? this.byMask(this.place, far, masks) : this.byRules(this.place, far)
    }
    return this.place < count
  }

  private byRules(place: number, far: number): number {
    const { mate } = this.view
    let looked = 0
    let between = place + 1
    for (; between < far && looked < MAX_BETWEEN; between++) {
      const other = mate[between] as number
      // In sorted order, an exchange can lower the distance only with a pair whose second ticket lies further right.
      if (other <= between || !this.gains(place, far, between, other)) continue
      if (this.tryExchange(place, far, between, other)) break
      looked++
    }
    return between - place
  }

  /**
   * Examines the pairs between a ticket and its partner, in the common case of one mask. It skips tickets without a
   * common region before it reads anything else. Returns the number of examined places.
   */
  private byMask(place: number, far: number, masks: Uint16Array): number {
    const { mate } = this.view
    const mask = masks[place] as number
    const farMask = masks[far] as number
    let looked = 0
    let between = place + 1
    for (; between < far && looked < MAX_BETWEEN; between++) {
      if ((mask & (masks[between] as number)) === 0) continue
      const other = mate[between] as number
      if (other <= between || (farMask & (masks[other] as number)) === 0) continue
      if (!this.gains(place, far, between, other)) continue
      if (this.tryExchange(place, far, between, other)) break
      looked++
    }
    return between - place
  }

  private fits(a: number, b: number): boolean {
    const { view, rules } = this
    if (view.masks && !rules.crossing) return rules.fitsNearby(view, a, b)
    return rules.fits(view.slots[a] as number, view.slots[b] as number)
  }

  private gains(place: number, far: number, between: number, other: number): boolean {
    const { values } = this.view
    const a = values[place] as number
    const b = values[between] as number
    const c = values[far] as number
    const d = values[other] as number
    return apart(a, b) + apart(c, d) < apart(a, c) + apart(b, d)
  }

  private tryExchange(place: number, far: number, between: number, other: number): boolean {
    const { mate } = this.view
    if (!this.fits(place, between) || !this.fits(far, other)) return false
    mate[place] = between
    mate[between] = place
    mate[far] = other
    mate[other] = far
    this.changed = true
    return true
  }
}
