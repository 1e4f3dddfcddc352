import type { Relaxation } from '../columns/relaxation'
import type { TicketColumns } from '../columns/ticket-columns'
import type { MatchFormat } from '../config/match-format'
import { borrowFor } from './borrow'
import type { Reasons } from './reasons'
import { MAX_REGROUPED_UNIT, regroupFor } from './regroup'
import type { Search } from './search'
import type { Unit } from './unit'

/** Most passes over the anchors of a part whose searches ended at a limit. */
const MAX_ROUNDS = 2
/** Most anchors, the oldest first, for which members of other matches are borrowed. */
const MAX_BORROWERS = 24
/** Number of anchors whose matches are searched between two yields. An anchor is the ticket that leads a match. */
const ANCHORS = 16

/**
 * Forms the matches of one part of the pool: each anchor, oldest first, takes the nearest tickets that form a match
 * with it.
 */
export class Serving {
  /** Slots whose last search ended at a limit, so that they may lead a match that was not found. */
  readonly unsettled = new Set<number>()
  /** Whether the last call stopped at a limit while it was still forming matches. */
  unfinished = false

  constructor(
    private readonly format: MatchFormat,
    private readonly columns: TicketColumns,
    private readonly relaxation: Relaxation,
    private readonly search: Search,
  ) {}

  /** Returns the formed matches, each as places (positions in the unit). */
  *serve(unit: Unit, anchors: readonly number[], reasons: Reasons): Generator<undefined, number[][], undefined> {
    const formed: number[][] = []
    let open = anchors
    this.unfinished = false
    for (let round = 1; ; round++) {
      const before = formed.length
      yield* this.pass(unit, open, reasons, 'full', formed)
      // A replaced ticket is available again for all other anchors. The loop ends, because with each round more
      // tickets, or older tickets, are served.
      while (formed.length > 0 && unit.count <= MAX_REGROUPED_UNIT && (yield* this.regroup(unit, reasons, formed))) {
        open = [...unit.byAge].filter((place) => unit.served[place] === 0 && reasons.has(unit.slot(place)))
        yield* this.pass(unit, open, reasons, 'full', formed)
      }
      if (this.columns.allApart.length > 0) yield* this.borrow(unit, formed)
      if (this.format.short) yield* this.pass(unit, open, reasons, 'short', formed)
      // A search that ended at a limit may succeed when fewer tickets remain, so it runs again here. If it fails again,
      // the next tick, which is due at once, continues.
      open = open.filter((place) => unit.served[place] === 0 && this.unsettled.has(unit.slot(place)))
      if (formed.length === before || open.length === 0) return formed
      if (round === MAX_ROUNDS) {
        this.unfinished = true
        return formed
      }
    }
  }

  private settle(slot: number, settled: boolean): void {
    if (settled) this.unsettled.delete(slot)
    else this.unsettled.add(slot)
  }

  private *pass(
    unit: Unit,
    open: readonly number[],
    reasons: Reasons,
    kind: 'full' | 'short',
    formed: number[][],
  ): Generator<undefined, void, undefined> {
    const { search, relaxation } = this
    if (kind === 'full' && !this.canSupply(unit)) {
      for (const place of open) this.settle(unit.slot(place), true)
      return
    }
    let searched = 0
    for (const place of open) {
      const slot = unit.slot(place)
      if (unit.served[place] === 1 || (kind === 'short' && !relaxation.isRipe(slot))) continue
      if (!reasons.stand(unit, slot)) continue
      const found = kind === 'full' ? search.full(unit, place) : search.short(unit, place)
      this.settle(slot, !search.bounded && (kind === 'full' || !this.unsettled.has(slot)))
      if (found) {
        for (const member of found) unit.serve(member)
        formed.push([...found])
      }
      if (++searched % ANCHORS === 0) yield
    }
  }

  /**
   * Takes full matches apart for the anchors without a match. Returns whether a ticket was replaced, so that it waits
   * again.
   */
  private *regroup(unit: Unit, reasons: Reasons, formed: number[][]): Generator<undefined, boolean, undefined> {
    const size = (places: readonly number[]) =>
      places.reduce((sum, place) => sum + (this.columns.players[unit.slot(place)] as number), 0)
    const full = formed.filter((places) => size(places) === this.format.fullSize)
    const short = formed.filter((places) => size(places) !== this.format.fullSize)
    let freed = false
    for (const place of unit.byAge) {
      if (unit.served[place] === 1) continue
      if (regroupFor(unit, this.search, place, full, reasons) === 'replaced') freed = true
      yield
    }
    formed.splice(0, formed.length, ...full, ...short)
    return freed
  }

  /** Serves anchors with members of the matches of this tick, where rules keep the remaining tickets apart. */
  private *borrow(unit: Unit, formed: number[][]): Generator<undefined, void, undefined> {
    let anchors = 0
    for (const place of unit.byAge) {
      if (unit.served[place] === 1) continue
      if (formed.length === 0 || anchors++ === MAX_BORROWERS) return
      borrowFor(unit, this.search, place, formed)
      yield
    }
  }

  /** Whether the unit has enough players for one full match, in total and for every role. */
  private canSupply(unit: Unit): boolean {
    const { columns, format } = this
    let players = 0
    /** By role: the number of players who accept the role, minus the number of places of the role. */
    const spare = new Map<string, number>()
    const count = (role: string, by: number) => spare.set(role, (spare.get(role) ?? 0) + by)
    for (const { roles } of format.teams) for (const [role, places] of roles ?? []) count(role, -places)
    for (let place = unit.firstFrom(0); place < unit.count; place = unit.right(place)) {
      const slot = unit.slot(place)
      players += columns.players[slot] as number
      for (const roles of columns.kindRoles[columns.kind[slot] as number] ?? [])
        for (const role of roles) count(role, 1)
    }
    return players >= format.fullSize && [...spare.values()].every((over) => over >= 0)
  }
}
