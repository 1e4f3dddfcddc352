import { popcount16 } from '../rules/region-mask'
import type { PairView } from './linear'
import type { PairRules } from './pair-rules'

/**
 * Most places that wait for a partner at a later place. If one region is enough for every two tickets (one `region`
 * rule with `minOverlap` 1), at most 16 tickets without a common player wait.
 */
const MAX_WAITING = 1 << 12

/**
 * Makes a first set of pairs: in sorted order, each ticket takes the nearest earlier ticket that has no partner and
 * fits. Tickets that wait for a partner do not fit each other, so the remaining tickets of a bucket contain no pair.
 * Few tickets wait at once: under one `region` rule they have no region in common.
 */
export class GreedySweep {
  /** The next place (position in the sorted view) to examine. */
  place = 0
  /** The places that wait for a partner, the nearest last. */
  private readonly waiting = new Int32Array(MAX_WAITING)
  private readonly waitingMasks = new Uint16Array(MAX_WAITING)
  private first = 0
  private last = 0
  private run = 0

  constructor(
    private readonly view: PairView,
    private readonly rules: PairRules,
  ) {}

  /** Examines about `steps` places; returns whether further places remain. */
  advance(steps: number): boolean {
    const { count, runs } = this.view
    const until = Math.min(count, this.place + steps)
    while (this.place < until) {
      while (this.place >= (runs[this.run + 1] as number)) {
        this.run++
        this.first = 0
        this.last = 0
      }
      const to = Math.min(until, runs[this.run + 1] as number)
      if (this.view.masks) this.byMask(to, this.view.masks)
      else this.byRules(to)
    }
    return this.place < count
  }

  private byRules(to: number): void {
    const { rules, waiting } = this
    const { slots, values } = this.view
    for (; this.place < to; this.place++) {
      const { place } = this
      const value = values[place] as number
      while (this.first < this.last && value - (values[waiting[this.first] as number] as number) > rules.reach)
        this.first++
      let at = this.last - 1
      while (at >= this.first && !rules.fits(slots[waiting[at] as number] as number, slots[place] as number)) at--
      if (at < this.first) {
        this.wait(0)
        continue
      }
      this.pair(waiting[at] as number, place)
      waiting.copyWithin(at, at + 1, this.last--)
    }
  }

  /** Handles the common case: one bound, one list of regions, and all tickets at the same level. */
  private byMask(to: number, masks: Uint16Array): void {
    const { rules, waiting, waitingMasks, view } = this
    const { columns, slots, values, mate } = view
    const { playerHash } = columns
    const isApart = columns.apart.length > 0
    const { reach, quickNeed: need } = rules
    let { place, first, last } = this
    for (; place < to; place++) {
      const value = values[place] as number
      while (first < last && value - (values[waiting[first] as number] as number) > reach) first++
      const own = masks[place] as number
      let at = last - 1
      for (; at >= first; at--) {
        const common = own & (waitingMasks[at] as number)
        if (need === 1 ? common !== 0 : popcount16(common) >= need) {
          const slot = slots[place] as number
          const other = slots[waiting[at] as number] as number
          if (isApart ? !columns.partsSingles(slot, other, rules.level) : playerHash[slot] !== playerHash[other]) break
          if (!isApart && !columns.samePlayer(slot, other)) break
        }
      }
      if (at < first) {
        this.place = place
        this.first = first
        this.last = last
        this.wait(own)
        first = this.first
        last = this.last
        continue
      }
      const partner = waiting[at] as number
      mate[partner] = place
      mate[place] = partner
      last--
      for (; at < last; at++) {
        waiting[at] = waiting[at + 1] as number
        waitingMasks[at] = waitingMasks[at + 1] as number
      }
    }
    this.place = place
    this.first = first
    this.last = last
  }

  private pair(a: number, b: number): void {
    const { mate } = this.view
    mate[a] = b
    mate[b] = a
  }

  /** Adds the current place to the places that wait for a partner. */
  private wait(mask: number): void {
    const { waiting, waitingMasks } = this
    if (this.last === MAX_WAITING) {
      if (this.first === 0) {
        // The list is full: the tickets in its older half stay without a partner for now. The search that follows the
        // sweep handles them.
        this.view.capped = true
        this.first = MAX_WAITING >> 1
      }
      waiting.copyWithin(0, this.first, this.last)
      waitingMasks.copyWithin(0, this.first, this.last)
      this.last -= this.first
      this.first = 0
    }
    waiting[this.last] = this.place
    waitingMasks[this.last++] = mask
  }
}
