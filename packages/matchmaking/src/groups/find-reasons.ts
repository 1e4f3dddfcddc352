import type { Relaxation } from '../columns/relaxation'
import type { TicketColumns } from '../columns/ticket-columns'
import type { MatchFormat } from '../config/match-format'
import type { OrderedIndex } from '../sorting/ordered-index'
import { Prospects } from './prospects'
import { type PartNews, Reasons } from './reasons'

/** Number of distinguished reasons; beyond it every ticket near one of them is searched. */
const MAX_REASONS = 24
/** Tickets counted for one newcomer; where it would take more, all who are older may lead a match with it. */
const MAX_COUNTED = 1 << 16

/** Finds out why there may be a match in a part of the pool. */
export class ReasonSearch {
  private readonly prospects: Prospects
  private readonly newest: boolean

  constructor(
    private readonly format: MatchFormat,
    private readonly columns: TicketColumns,
    index: OrderedIndex,
    private readonly relaxation: Relaxation,
  ) {
    this.prospects = new Prospects(columns, index)
    this.newest = format.ageOf === 'newest'
  }

  /** To be called when the index has changed. */
  forget(): void {
    this.prospects.forget()
  }

  /** `highest`: the loosest level of anybody who waits; `crossing`: whether matches cross buckets. */
  *find(news: PartNews, highest: number, crossing: boolean): Generator<undefined, Reasons, undefined> {
    const { came, leading } = news
    const { columns, prospects } = this
    const untold = new Reasons([], came.length + leading.length)
    if (came.length + leading.length > MAX_REASONS) return untold
    const reasons = new Reasons(came)
    for (const slot of leading) {
      const level = columns.level[slot] as number
      if (!prospects.look(slot, level, crossing)) return untold
      if (!prospects.mayLead(slot, level, this.leastOf(slot))) continue
      reasons.addItself(slot)
      reasons.count++
      yield
    }
    for (const [newcomer, slot] of came.entries()) {
      const own = columns.level[slot] as number
      if (!prospects.look(slot, this.newest ? own : highest, crossing)) return untold
      if (this.withNewcomer(reasons, newcomer, slot)) reasons.count++
      yield
    }
    return reasons
  }

  /** Whether anybody may lead a match with a newcomer, or the newcomer itself. */
  private withNewcomer(reasons: Reasons, newcomer: number, slot: number): boolean {
    const { columns, prospects } = this
    const own = columns.level[slot] as number
    let found = prospects.mayLead(slot, own, this.leastOf(slot))
    if (found) reasons.addItself(slot)
    const leaders = prospects.older()
    const all = leaders.length * prospects.count > MAX_COUNTED
    for (const leader of leaders) {
      const level = this.newest ? Math.min(own, columns.level[leader] as number) : (columns.level[leader] as number)
      if (!all && !prospects.mayLead(leader, level, this.leastOf(leader))) continue
      reasons.addWith(newcomer, leader)
      found = true
    }
    return found
  }

  /** Players of the smallest match that a ticket may lead. */
  private leastOf(slot: number): number {
    return this.format.short && this.relaxation.isRipe(slot) ? this.format.leastSize : this.format.fullSize
  }
}
