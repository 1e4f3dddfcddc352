import type { PairRulesAt } from '../pairs/pair-rules-at'
import type { Way } from './way'

/** Tickets of one kind that a search considers; more of a kind hardly help where these do not. */
const MAX_PER_KIND = 48
/** Tickets that a search considers at all; keeps one search under a millisecond or so. */
export const MAX_CANDIDATES = 320

/** Collects the places that could join an anchor, nearest first. */
export class Candidates {
  places: number[] = []
  /** Whether some were left out for their number. */
  capped = false
  /** By kind: how many were taken, and in which gathering. */
  private readonly taken: number[] = []
  private readonly gathering: number[] = []
  private gatherings = 0
  private readonly perKind: number

  constructor(
    private readonly beside: PairRulesAt,
    fullSize: number,
  ) {
    this.perKind = Math.max(MAX_PER_KIND, 2 * fullSize)
  }

  /**
   * Unserved tickets younger than the anchor, of at least `lowest` level, that could be in a match with it alone at `level`,
   * nearest in order first. `most` bounds their number.
   */
  gather({ unit, anchor, level, accepts }: Way, reach: number, most: number): void {
    const { columns } = unit
    const slot = unit.slot(anchor)
    const value = unit.value(anchor)
    this.places = []
    this.capped = false
    this.gatherings++
    let left = unit.left(anchor)
    let right = unit.right(anchor)
    const consider = (place: number): boolean => {
      const other = unit.slot(place)
      if (!columns.older(slot, other) || !this.beside.fits(slot, other, level) || (accepts && !accepts(other)))
        return true
      if (this.places.length >= most) {
        this.capped = true
        return false
      }
      const kind = columns.kind[other] as number
      const taken = this.gathering[kind] === this.gatherings ? (this.taken[kind] as number) : 0
      if (taken >= this.perKind) {
        this.capped = true
        return true
      }
      this.gathering[kind] = this.gatherings
      this.taken[kind] = taken + 1
      this.places.push(place)
      return true
    }
    for (;;) {
      const toLeft = left >= 0 ? value - unit.value(left) : Number.POSITIVE_INFINITY
      const toRight = right < unit.present ? unit.value(right) - value : Number.POSITIVE_INFINITY
      // A comparison with an absent anchor's value fails: then everyone is as near as anyone.
      const goLeft = left >= 0 && !(toLeft > toRight) && !(toLeft > reach)
      const goRight = !goLeft && right < unit.present && !(toRight > reach)
      if (goLeft) {
        if (!consider(left)) return
        left = unit.left(left)
      } else if (goRight) {
        if (!consider(right)) return
        right = unit.right(right)
      } else {
        break
      }
    }
    for (let place = Math.max(right, unit.firstFrom(unit.present)); place < unit.count; place = unit.right(place)) {
      if (place !== anchor && !consider(place)) return
    }
  }
}
