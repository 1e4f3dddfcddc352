import type { Relaxation } from '../columns/relaxation'
import type { TicketColumns } from '../columns/ticket-columns'
import { grown } from '../columns/typed'
import type { MatchFormat } from '../config/match-format'
import { Fit } from '../seating/fit'
import type { OrderedIndex } from '../sorting/ordered-index'
import { chunkAnew } from './chunk'
import { ExactSearch, MAX_EXACT_UNIT } from './exact'
import { MAX_REGROUPED_UNIT, regroupFor } from './regroup'
import { Search } from './search'
import { SeatMatch } from './seat-match'
import { Unit } from './unit'

/** Passes over the anchors of a part that met a bound. */
const MAX_ROUNDS = 2
/** Anchors searched between two yields. */
const ANCHORS = 16

/**
 * Ticks a pool of matches of more than two single players. Anchors go by age; each takes the nearest tickets it can make a
 * match with. An anchor whose search came to its end without a match is settled: only a ticket that came or relaxed near it
 * can change that, so the next tick does not search it again.
 */
export class GroupEngine {
  private readonly fit: Fit
  readonly seat: SeatMatch
  private readonly search: Search
  private readonly exact: ExactSearch
  /** By slot: 1 once its search ended without a match and without meeting a bound. */
  private settled = new Uint8Array(16)
  /** Whether the last tick stopped at a bound while it was still forming matches: another one at once may form more. */
  unfinished = false
  /** Buckets whose tickets changed since the last tick, by going. */
  private readonly touched = new Set<number>()

  constructor(
    private readonly format: MatchFormat,
    private readonly columns: TicketColumns,
    private readonly index: OrderedIndex,
    private readonly relaxation: Relaxation,
  ) {
    this.fit = new Fit(format, columns)
    this.seat = new SeatMatch(format, columns, this.fit)
    this.exact = new ExactSearch(format, columns, relaxation)
    this.search = new Search(format, columns, this.fit, relaxation, this.seat)
  }

  entered(slot: number): void {
    if (slot >= this.settled.length) this.settled = grown(this.settled, this.columns.capacity)
    this.settled[slot] = 0
  }

  left(slot: number): void {
    this.touched.add(this.columns.bucket[slot] as number)
  }

  /** The matches to be made, oldest first, their slots too; `changed` are the slots that came or relaxed. */
  *solve(changed: Int32Array, highest: number): Generator<undefined, number[][], undefined> {
    const { columns } = this
    const isNew = new Uint8Array(columns.high)
    for (const slot of changed) isNew[slot] = 1
    const matches: number[][] = []
    const units = [...this.units(changed, highest)]
    this.touched.clear()
    for (const slots of units) yield* this.solveUnit(new Unit(columns, slots), isNew, highest, matches)
    matches.sort((a, b) => (columns.older(a[0] as number, b[0] as number) ? -1 : 1))
    return matches
  }

  /** The parts of the pool in which something changed, each in order of value. */
  private *units(changed: Int32Array, highest: number): Generator<Int32Array> {
    const { columns, index } = this
    const crossing = columns.wildTickets > 0 || columns.keys.some(({ levels }) => levels.off[highest])
    if (crossing) {
      yield* this.groups()
      return
    }
    const buckets = new Set(this.touched)
    for (const slot of changed) buckets.add(columns.bucket[slot] as number)
    for (const bucket of buckets) {
      const [from, to] = index.rangeOf(bucket)
      const slots = index.slots.slice(from, to).filter((slot) => columns.alive[slot] === 1)
      if (slots.length > 0) yield slots
    }
  }

  /** Where tickets cross buckets, the parts are groups. */
  private *groups(): Generator<Int32Array> {
    const { columns, index } = this
    const groups = new Map<number, number[]>()
    for (let place = 0; place < index.length; place++) {
      const slot = index.slots[place] as number
      if (columns.alive[slot] !== 1) continue
      const group = columns.group[slot] as number
      const members = groups.get(group)
      if (members) members.push(slot)
      else groups.set(group, [slot])
    }
    for (const members of groups.values())
      yield Int32Array.from(members).sort((a, b) => (columns.before(a, b) ? -1 : 1))
  }

  private *solveUnit(
    unit: Unit,
    isNew: Uint8Array,
    highest: number,
    matches: number[][],
  ): Generator<undefined, void, undefined> {
    const open = this.openAnchors(unit, isNew, highest)
    if (open.length === 0) return
    const { columns } = this
    const formed = (yield* this.serveExactly(unit)) ?? (yield* this.serveUsually(unit, open))
    const slots = formed.map((places) => places.map((place) => unit.slot(place)))
    for (const members of this.search.isPlain(unit) ? chunkAnew(columns, this.format, unit, slots) : slots) {
      matches.push(members.sort((a, b) => (columns.older(a, b) ? -1 : 1)))
    }
  }

  /** A small unit is served exactly: for those who are left there is no match. Undefined where that would take too long. */
  private *serveExactly(unit: Unit): Generator<undefined, number[][] | undefined, undefined> {
    const formed = unit.count <= MAX_EXACT_UNIT ? yield* this.exact.solve(unit) : undefined
    if (formed) for (const slot of unit.slots) this.settled[slot] = 1
    return formed
  }

  /** Anchors take the nearest tickets with which they make a match, the oldest first. */
  private *serveUsually(unit: Unit, anchors: readonly number[]): Generator<undefined, number[][], undefined> {
    const formed: number[][] = []
    let open = anchors
    for (let round = 1; ; round++) {
      const before = formed.length
      yield* this.pass(unit, open, 'full', formed)
      // Whoever gave way to an older ticket is there again for everyone who waits. This ends: what is served only grows or ages.
      while (formed.length > 0 && unit.count <= MAX_REGROUPED_UNIT && (yield* this.regroup(unit, formed))) {
        open = this.reopen(unit)
        yield* this.pass(unit, open, 'full', formed)
      }
      if (this.format.short) yield* this.pass(unit, open, 'short', formed)
      // A bounded search may succeed where there is less to look at: once more now, after that with the next tick, which is due at once.
      open = open.filter((place) => this.isOpen(unit, place))
      if (formed.length === before || open.length === 0) break
      if (round === MAX_ROUNDS) {
        this.touched.add(this.columns.bucket[unit.slot(0)] as number)
        this.unfinished = true
        break
      }
    }
    return formed
  }

  /** Full matches are taken apart for those who found none. Returns whether somebody gave way and waits again. */
  private *regroup(unit: Unit, formed: number[][]): Generator<undefined, boolean, undefined> {
    const size = (places: readonly number[]) =>
      places.reduce((sum, place) => sum + (this.columns.players[unit.slot(place)] as number), 0)
    const full = formed.filter((places) => size(places) === this.format.fullSize)
    const short = formed.filter((places) => size(places) !== this.format.fullSize)
    let freed = false
    for (const place of unit.byAge) {
      if (unit.served[place] === 1) continue
      if (regroupFor(unit, this.search, place, full) === 'replaced') freed = true
      yield
    }
    formed.splice(0, formed.length, ...full, ...short)
    return freed
  }

  /** All who wait, by age, none of them settled any more. */
  private reopen(unit: Unit): number[] {
    const open = [...unit.byAge].filter((place) => unit.served[place] === 0)
    for (const place of open) this.settled[unit.slot(place)] = 0
    return open
  }

  private isOpen(unit: Unit, place: number): boolean {
    return unit.served[place] === 0 && this.settled[unit.slot(place)] === 0
  }

  private *pass(
    unit: Unit,
    open: readonly number[],
    kind: 'full' | 'short',
    formed: number[][],
  ): Generator<undefined, void, undefined> {
    const { search, relaxation } = this
    if (kind === 'full' && !this.canSupply(unit)) {
      for (const place of open) this.settled[unit.slot(place)] = 1
      return
    }
    let searched = 0
    for (const place of open) {
      const slot = unit.slot(place)
      if (unit.served[place] === 1 || (kind === 'short' && !relaxation.isRipe(slot))) continue
      const found = kind === 'full' ? search.full(unit, place) : search.short(unit, place)
      const settled = !search.bounded && (kind === 'full' || this.settled[slot] === 1)
      this.settled[slot] = settled ? 1 : 0
      if (found) {
        for (const member of found) unit.serve(member)
        formed.push([...found])
      }
      if (++searched % ANCHORS === 0) yield
    }
  }

  /** Whether a unit holds enough players, and enough for every role, for one full match at all. */
  private canSupply(unit: Unit): boolean {
    const { columns, format } = this
    let players = 0
    /** By role: how many players more take it than there are places for it. */
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

  /** The anchors that may have a match now: those not settled, and those within reach of something new; by age. */
  private openAnchors(unit: Unit, isNew: Uint8Array, highest: number): number[] {
    const { columns } = this
    const bounds = columns.ranges[0]?.levels
    const reach = bounds && !bounds.off[highest] ? (bounds.bounds[highest] as number) : Number.POSITIVE_INFINITY
    const near = new Uint8Array(unit.count)
    let news = Number.NEGATIVE_INFINITY
    let everywhere = false
    for (let place = 0; place < unit.count; place++) {
      if (isNew[unit.slot(place)] === 1) {
        if (place >= unit.present) everywhere = true
        news = unit.value(place)
      }
      if (place >= unit.present || unit.value(place) - news <= reach) near[place] = 1
    }
    news = Number.POSITIVE_INFINITY
    for (let place = unit.present - 1; place >= 0; place--) {
      if (isNew[unit.slot(place)] === 1) news = unit.value(place)
      if (news - unit.value(place) <= reach) near[place] = 1
    }
    const open: number[] = []
    for (const place of unit.byAge) {
      if (near[place] === 1 || everywhere || this.settled[unit.slot(place)] === 0) open.push(place)
    }
    return open
  }
}
