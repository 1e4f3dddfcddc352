import type { PairRulesAt } from '../pairs/pair-rules-at'
import type { Way } from './way'

/**
 * Most tickets of one kind (equal party size and roles) that a search considers. When these make no match, further
 * tickets of the kind rarely do.
 */
const MAX_PER_KIND = 48
/** Most tickets that a search considers in all; this keeps a search to about a millisecond. */
export const MAX_CANDIDATES = 320

/** Collects the candidates of an anchor: the tickets that could join the anchor's match, the nearest in value first. */
export class Candidates {
  places: number[] = []
  /** Whether the limits left out some tickets. */
  capped = false
  /** By kind: the number of tickets taken, and the number of the `gather` call that took them. */
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
   * Collects at most `most` unserved tickets that are younger than the anchor and could be in a match with the anchor
   * at `level`. The tickets nearest in value come first.
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
      // When the anchor has no value, all these comparisons are false, so that every ticket counts as equally near.
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
