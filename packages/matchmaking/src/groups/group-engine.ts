import type { Relaxation } from '../columns/relaxation'
import type { TicketColumns } from '../columns/ticket-columns'
import type { MatchFormat } from '../config/match-format'
import type { News } from '../pairs/pair-engine'
import { Fit } from '../seating/fit'
import type { OrderedIndex } from '../sorting/ordered-index'
import { openAnchors } from './anchors'
import { chunkAnew } from './chunk'
import { ExactSearch, MAX_EXACT_UNIT } from './exact'
import { ReasonSearch } from './find-reasons'
import type { PartNews, Reasons } from './reasons'
import { Search } from './search'
import { SeatMatch } from './seat-match'
import { Serving } from './serving'
import { Unit } from './unit'

/**
 * Ticks a pool of any matches but those of `PairEngine`: of another size than 1v1, or with roles. The search takes each
 * anchor (the ticket that leads a match) in order of age and forms a match of the anchor and the nearest tickets. An
 * anchor is settled when its complete search found no match: the next ticks skip the anchor until a ticket near it
 * enters or relaxes.
 */
export class GroupEngine {
  readonly seat: SeatMatch
  private readonly search: Search
  private readonly exact: ExactSearch
  private readonly serving: Serving
  private readonly reasons: ReasonSearch
  /**
   * Whether the last tick stopped at a limit while it was still forming matches. A tick that follows at once may then
   * form more matches.
   */
  unfinished = false
  /** Buckets that tickets have left since the last tick. */
  private readonly touched = new Set<number>()
  private readonly expires: boolean

  constructor(
    private readonly format: MatchFormat,
    private readonly columns: TicketColumns,
    private readonly index: OrderedIndex,
    relaxation: Relaxation,
  ) {
    const fit = new Fit(format, columns)
    this.expires = relaxation.expires
    this.seat = new SeatMatch(format, columns, fit)
    this.exact = new ExactSearch(format, columns, relaxation)
    this.search = new Search(format, columns, fit, relaxation, this.seat)
    this.serving = new Serving(format, columns, relaxation, this.search)
    this.reasons = new ReasonSearch(format, columns, index, relaxation)
  }

  entered(slot: number): void {
    this.serving.unsettled.delete(slot)
  }

  left(slot: number): void {
    this.touched.add(this.columns.bucket[slot] as number)
  }

  /**
   * Returns the matches, each as slots. The matches, and the slots of each match, are in order of age, oldest first.
   */
  *solve(news: News): Generator<undefined, number[][], undefined> {
    const { columns, reasons } = this
    const { highest } = news
    const crossing = columns.wildTickets > 0 || columns.keys.some(({ levels }) => levels.off[highest])
    const matches: number[][] = []
    const parts = this.partsOf(news, crossing)
    reasons.forget()
    for (const [part, change] of parts) {
      const found = yield* reasons.find(change, highest, crossing)
      for (const slot of change.leading) if (!found.has(slot)) this.serving.unsettled.delete(slot)
      if (found.none) continue
      const unit = new Unit(columns, crossing ? this.group(part) : this.bucket(part))
      yield* this.solveUnit(unit, openAnchors(unit, change, found, highest), found, matches)
    }
    matches.sort((a, b) => (columns.older(a[0] as number, b[0] as number) ? -1 : 1))
    return matches
  }

  /**
   * Returns the changes of each part of the pool. A part is a bucket; where matches may hold tickets of several
   * buckets, a part is a group.
   */
  private partsOf({ changed, relaxed }: News, crossing: boolean): Map<number, PartNews> {
    const { columns, touched, format } = this
    const { unsettled } = this.serving
    const { alive } = columns
    const key = crossing ? columns.group : columns.bucket
    const parts = new Map<number, PartNews>()
    const partOf = (part: number): PartNews => {
      const known = parts.get(part) ?? { came: [], leading: [] }
      parts.set(part, known)
      return known
    }
    // With the setting `newest`, every ticket of a match must have relaxed far enough, so a relaxed ticket counts as a
    // new ticket. So does a ticket whose players may meet others again.
    const steps = format.ageOf === 'newest' || this.expires ? 0 : relaxed.length
    for (let at = 0; at < changed.length; at++) {
      const slot = changed[at] as number
      if (alive[slot] !== 1) continue
      const part = partOf(key[slot] as number)
      if (at < steps) part.leading.push(slot)
      else part.came.push(slot)
    }
    if (!crossing) for (const bucket of touched) partOf(bucket)
    touched.clear()
    for (const slot of unsettled) {
      if (alive[slot] !== 1) unsettled.delete(slot)
      else if (crossing || parts.has(key[slot] as number)) partOf(key[slot] as number).leading.push(slot)
    }
    return parts
  }

  private bucket(bucket: number): Int32Array {
    const { columns, index } = this
    const [from, to] = index.rangeOf(bucket)
    return index.slots.slice(from, to).filter((slot) => columns.alive[slot] === 1)
  }

  private group(group: number): Int32Array {
    const { columns, index } = this
    const members = index.slots
      .subarray(0, index.length)
      .filter((slot) => columns.alive[slot] === 1 && columns.group[slot] === group)
    return members.sort((a, b) => (columns.before(a, b) ? -1 : 1))
  }

  private *solveUnit(
    unit: Unit,
    open: readonly number[],
    reasons: Reasons,
    matches: number[][],
  ): Generator<undefined, void, undefined> {
    const { columns, serving } = this
    if (open.length === 0) return
    const formed = (yield* this.serveExactly(unit)) ?? (yield* serving.serve(unit, open, reasons))
    if (serving.unfinished) {
      this.touched.add(columns.bucket[unit.slot(0)] as number)
      this.unfinished = true
    }
    const slots = formed.map((places) => places.map((place) => unit.slot(place)))
    for (const members of this.search.isPlain(unit) && columns.apart.length === 0
      ? chunkAnew(columns, this.format, unit, slots)
      : slots) {
      matches.push(members.sort((a, b) => (columns.older(a, b) ? -1 : 1)))
    }
  }

  /**
   * Solves a small unit exactly, so that the remaining tickets contain no match. Returns undefined for a large unit, or
   * where the search ended at a limit.
   */
  private *serveExactly(unit: Unit): Generator<undefined, number[][] | undefined, undefined> {
    const { serving } = this
    serving.unfinished = false
    const formed = unit.count <= MAX_EXACT_UNIT ? yield* this.exact.solve(unit) : undefined
    if (formed) for (const slot of unit.slots) serving.unsettled.delete(slot)
    return formed
  }
}
