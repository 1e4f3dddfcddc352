import type { PairRulesAt } from '../pairs/pair-rules-at'
import type { Unit } from './unit'
import type { Way } from './way'

/**
 * Finds exactly the single players who are closest to an anchor, where only distance matters. In the order of values
 * these players are consecutive, so it is enough to move a window over the anchor's neighbours. When a window has too
 * few players, tickets without a value are added.
 */
export class Window {
  private readonly near: number[] = []
  private readonly absent: number[] = []
  /** Place of the anchor in `near`; −1 when the anchor has no value. */
  private at = -1

  constructor(private readonly beside: PairRulesAt) {}

  /** Collects the neighbours of the anchor that are younger than the anchor, at most `most` on each side. */
  look({ unit, anchor, level, accepts }: Way, reach: number, most: number): void {
    const { columns } = unit
    const slot = unit.slot(anchor)
    const value = unit.value(anchor)
    const valued = !Number.isNaN(value)
    const fits = (place: number): boolean => {
      const other = unit.slot(place)
      return columns.older(slot, other) && this.beside.fits(slot, other, level) && (!accepts || accepts(other))
    }
    const { near, absent } = this
    near.length = 0
    absent.length = 0
    this.at = -1
    if (valued) {
      for (let place = unit.left(anchor); place >= 0 && near.length < most; place = unit.left(place)) {
        if (value - unit.value(place) > reach) break
        if (fits(place)) near.push(place)
      }
      near.reverse()
      this.at = near.length
      near.push(anchor)
      const full = near.length + most
      for (let place = unit.right(anchor); place < unit.present && near.length < full; place = unit.right(place)) {
        if (unit.value(place) - value > reach) break
        if (fits(place)) near.push(place)
      }
    } else {
      absent.push(anchor)
      for (let place = unit.firstFrom(0); place < unit.present; place = unit.right(place))
        if (fits(place)) near.push(place)
    }
    const room = absent.length + most
    for (
      let place = unit.firstFrom(unit.present);
      place < unit.count && absent.length < room;
      place = unit.right(place)
    ) {
      if (place !== anchor && fits(place)) absent.push(place)
    }
  }

  /** Number of collected tickets, including the anchor. */
  get count(): number {
    return this.near.length + this.absent.length
  }

  /**
   * Returns the places of the closest `size` tickets, with as few tickets without a value as possible; undefined when
   * fewer than `size` tickets are near enough.
   */
  closest(unit: Unit, size: number, reach: number): number[] | undefined {
    const { near, absent, at } = this
    const forced = at < 0 ? 1 : 0
    for (let blind = forced; blind <= Math.min(absent.length, size); blind++) {
      const width = size - blind
      if (width > near.length) continue
      const from = at < 0 ? 0 : Math.max(0, at - width + 1)
      const to = at < 0 ? near.length - width : Math.min(at, near.length - width)
      let best = -1
      let least = Number.POSITIVE_INFINITY
      for (let start = from; start <= to; start++) {
        const spread =
          width === 0 ? 0 : unit.value(near[start + width - 1] as number) - unit.value(near[start] as number)
        if (spread <= reach && spread < least) {
          least = spread
          best = start
        }
      }
      if (best >= 0) return [...near.slice(best, best + width), ...absent.slice(0, blind)]
    }
    return undefined
  }
}
