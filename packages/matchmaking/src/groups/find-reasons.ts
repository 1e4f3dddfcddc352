import type { Relaxation } from '../columns/relaxation'
import type { TicketColumns } from '../columns/ticket-columns'
import type { MatchFormat } from '../config/match-format'
import type { OrderedIndex } from '../sorting/ordered-index'
import { Prospects } from './prospects'
import { type PartNews, Reasons } from './reasons'

/** Most reasons that are examined separately. With more reasons, every ticket near a reason is searched. */
const MAX_REASONS = 24
/**
 * Most tickets that are counted for one new ticket. Beyond this limit, every older ticket counts as a possible leader
 * of a match with the new ticket.
 */
const MAX_COUNTED = 1 << 16

/** Finds the reasons why there may be a match in a part of the pool (see `Reasons`). */
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

  /** Clears the stored positions in the index. The caller must call it when the index has changed. */
  forget(): void {
    this.prospects.forget()
  }

  /**
   * Returns the reasons for new matches. `highest` is the loosest level of a waiting ticket; `crossing` says whether a
   * match may hold tickets of several buckets.
   */
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

  /**
   * Adds the tickets that may lead a match with a new ticket, and the new ticket itself if it may lead a match. Returns
   * whether it added any ticket.
   */
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

  /** Returns the number of players in the smallest match that a ticket may lead. */
  private leastOf(slot: number): number {
    return this.format.short && this.relaxation.isRipe(slot) ? this.format.leastSize : this.format.fullSize
  }
}
