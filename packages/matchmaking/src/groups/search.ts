import type { Relaxation } from '../columns/relaxation'
import type { TicketColumns } from '../columns/ticket-columns'
import type { MatchFormat } from '../config/match-format'
import type { Fit } from '../seating/fit'
import { PairRulesAt } from './beside'
import { Candidates, MAX_CANDIDATES } from './candidates'
import type { SeatMatch } from './seat-match'
import { Selection } from './selection'
import type { Unit } from './unit'
import { Window } from './window'

/** A quick look at the nearest tickets serves almost every anchor of a full pool; what fails it gets the long one. */
const QUICK_CANDIDATES = 40
const QUICK_STEPS = 300
/** Steps of the long look. */
const MAX_STEPS = 2_000
const MAX_SHORT_STEPS = 1_500

/** A match found: places in the unit, and the level whose bounds it was found under. */
export interface Found {
  readonly places: readonly number[]
  readonly level: number
}

type Accepts = ((slot: number) => boolean) | undefined

/** Looks for a match around one anchor: the longest-waiting ticket of the match, so everyone else in it is younger. */
export class Search {
  /** Whether the last search was cut short by a bound, so that it may have missed a match. */
  bounded = false
  private readonly selection: Selection
  private readonly candidates: Candidates
  private readonly window: Window
  /** Whether distance is all there is to look at between tickets of one player each. */
  private readonly plainRules: boolean
  private steps = 0
  private limit = 0
  private suffix: number[] = []
  private best: { players: number; teams: number; spread: number; slots: number[] } | undefined

  constructor(
    private readonly format: MatchFormat,
    private readonly columns: TicketColumns,
    private readonly fit: Fit,
    private readonly relaxation: Relaxation,
    private readonly seat: SeatMatch,
  ) {
    const beside = new PairRulesAt(columns)
    this.selection = new Selection(columns, fit)
    this.candidates = new Candidates(beside, format.fullSize)
    this.window = new Window(beside)
    this.plainRules =
      !format.composed &&
      columns.ranges.length <= 1 &&
      format.rules.every(({ kind }) => kind.shape === 'range' || kind.shape === 'key')
  }

  /** Whether windows decide: all tickets of the unit are one player each. */
  isPlain(unit: Unit): boolean {
    return this.plainRules && unit.alone
  }

  /** A full match led by the anchor, and without one ticket if so wished. */
  full(unit: Unit, anchor: number, without?: number): Found | undefined {
    this.bounded = false
    for (const way of this.ways(unit, anchor)) {
      const { level } = way
      const accepts =
        without === undefined ? way.accepts : (slot: number) => slot !== without && (!way.accepts || way.accepts(slot))
      const places = this.isPlain(unit)
        ? (this.byWindow(unit, anchor, level, accepts, this.format.fullSize) ??
          this.ifShared(unit, anchor, level, accepts))
        : this.bySearch(unit, anchor, level, accepts)
      if (places) return { places, level }
    }
    return undefined
  }

  /** The largest match below the full size led by the anchor: most players, then most teams, then the least spread. */
  short(unit: Unit, anchor: number): Found | undefined {
    this.bounded = false
    let best: { places: readonly number[]; level: number; players: number; teams: number; spread: number } | undefined
    for (const { level, accepts } of this.ways(unit, anchor)) {
      const found = this.isPlain(unit)
        ? this.shortByWindow(unit, anchor, level, accepts)
        : this.shortBySearch(unit, anchor, level, accepts)
      if (!found) continue
      const more = best
        ? found.players - best.players || found.teams - best.teams || best.spread - found.spread
        : Number.POSITIVE_INFINITY
      if (more > 0) best = { ...found, level }
    }
    return best
  }

  /** The levels a match with this anchor may be judged at, and the values of a key it may settle on, most lenient first. */
  private *ways(unit: Unit, anchor: number): Generator<{ level: number; accepts: Accepts }> {
    const { columns, format, relaxation } = this
    const slot = unit.slot(anchor)
    const own = columns.level[slot] as number
    for (let level = own; level >= 0; level--) {
      if (level < own && (format.ageOf === 'oldest' || relaxation.atLevel[level] === 0)) continue
      const open =
        columns.wild[slot] === 1
          ? columns.keys.find(({ levels: rule, keys }) => !rule.off[level] && keys[slot] === 0)
          : undefined
      if (!open) {
        yield { level, accepts: undefined }
        continue
      }
      const { keys } = open
      for (const value of unit.valuesOf(keys))
        yield { level, accepts: (other) => keys[other] === value || keys[other] === 0 }
    }
  }

  private byWindow(
    unit: Unit,
    anchor: number,
    level: number,
    accepts: Accepts,
    size: number,
  ): readonly number[] | undefined {
    const reach = this.selection.reachAt(level)
    this.window.look(unit, anchor, level, reach, size - 1, accepts)
    if (this.window.count < size) return undefined
    const places = this.window.closest(unit, size, reach)
    return places && this.allFit(unit, anchor, places, level) ? places : undefined
  }

  /** A window may hold two tickets of one player, or of two minds on a second key; then it takes a search. */
  private ifShared(unit: Unit, anchor: number, level: number, accepts: Accepts): readonly number[] | undefined {
    if (this.window.count < this.format.fullSize) return undefined
    return this.bySearch(unit, anchor, level, accepts)
  }

  /** Whether these places, all of them, are a valid full match. */
  isMatch(unit: Unit, places: readonly number[]): boolean {
    const { columns, format, selection } = this
    const slots = places.map((place) => unit.slot(place)).sort((a, b) => (columns.older(a, b) ? -1 : 1))
    const ruling = slots[format.ageOf === 'oldest' ? 0 : slots.length - 1] as number
    selection.start(columns.level[ruling] as number)
    return (
      slots.every((slot) => selection.push(slot)) &&
      selection.players === format.fullSize &&
      this.seat.possible(selection.slots)
    )
  }

  private allFit(unit: Unit, anchor: number, places: readonly number[], level: number): boolean {
    this.selection.start(level)
    this.selection.push(unit.slot(anchor))
    return places.every((place) => place === anchor || this.selection.push(unit.slot(place)))
  }

  private bySearch(unit: Unit, anchor: number, level: number, accepts: Accepts): readonly number[] | undefined {
    const looks = [
      [Math.max(QUICK_CANDIDATES, this.format.fullSize * 2), QUICK_STEPS],
      [Math.max(MAX_CANDIDATES, this.format.fullSize * 4), MAX_STEPS],
    ] as const
    for (const [most, steps] of looks) {
      const slots = this.gather(unit, anchor, level, most, accepts)
      if (!this.start(unit, anchor, level, slots, steps)) return undefined
      if (this.grow(slots, 0)) return this.placesOf(unit, anchor)
      if (!this.candidates.capped && this.steps <= this.limit) {
        if (this.fit.lossy) break
        return undefined
      }
    }
    this.bounded = true
    return undefined
  }

  private gather(unit: Unit, anchor: number, level: number, most: number, accepts: Accepts): number[] {
    this.candidates.gather(unit, anchor, level, this.selection.reachAt(level), most, accepts)
    return this.candidates.places.map((place) => unit.slot(place))
  }

  /** Whether the anchor can lead a match of these at all. */
  private start(unit: Unit, anchor: number, level: number, slots: readonly number[], limit: number): boolean {
    this.steps = 0
    this.limit = limit
    this.suffix = new Array(slots.length + 1).fill(0)
    for (let index = slots.length - 1; index >= 0; index--) {
      this.suffix[index] = (this.suffix[index + 1] as number) + (this.columns.players[slots[index] as number] as number)
    }
    this.selection.start(level)
    this.best = undefined
    return this.selection.push(unit.slot(anchor))
  }

  private placesOf(unit: Unit, anchor: number): number[] {
    const chosen = new Set(this.selection.slots)
    return [anchor, ...this.candidates.places.filter((place) => chosen.has(unit.slot(place)))]
  }

  private grow(slots: readonly number[], from: number): boolean {
    const { selection, format } = this
    const lack = format.fullSize - selection.players
    if (lack === 0) return this.seat.possible(selection.slots)
    for (let index = from; index < slots.length; index++) {
      if ((this.suffix[index] as number) < lack) return false
      if (this.steps++ > this.limit) return false
      if (!selection.push(slots[index] as number)) continue
      if (this.grow(slots, index + 1)) return true
      selection.pop()
    }
    return false
  }

  private shortByWindow(unit: Unit, anchor: number, level: number, accepts: Accepts) {
    const { format, selection } = this
    const reach = selection.reachAt(level)
    this.window.look(unit, anchor, level, reach, format.fullSize - 1, accepts)
    for (let size = Math.min(this.window.count, format.fullSize); size >= format.leastSize; size--) {
      const teams = teamsOf(format, size)
      const places = teams > 0 ? this.window.closest(unit, size, reach) : undefined
      if (!places) continue
      if (!this.allFit(unit, anchor, places, level)) return this.shortBySearch(unit, anchor, level, accepts)
      return { places, players: size, teams, spread: selection.spread }
    }
    return undefined
  }

  private shortBySearch(unit: Unit, anchor: number, level: number, accepts: Accepts) {
    const { format } = this
    const slots = this.gather(unit, anchor, level, Math.max(MAX_CANDIDATES, format.fullSize * 4), accepts)
    if (!this.start(unit, anchor, level, slots, MAX_SHORT_STEPS)) return undefined
    this.growShort(slots, 0)
    if (this.steps > this.limit || this.candidates.capped || this.fit.lossy) this.bounded = true
    const { best } = this
    if (!best) return undefined
    const chosen = new Set(best.slots)
    const places = [anchor, ...this.candidates.places.filter((place) => chosen.has(unit.slot(place)))]
    return { ...best, places }
  }

  private growShort(slots: readonly number[], from: number): void {
    const { selection, fit } = this
    this.weigh(fit.shortTeams(selection.state))
    for (let index = from; index < slots.length; index++) {
      if (selection.players + (this.suffix[index] as number) < (this.best?.players ?? this.format.leastSize)) return
      if (this.steps++ > this.limit) return
      if (!selection.push(slots[index] as number)) continue
      this.growShort(slots, index + 1)
      selection.pop()
    }
  }

  private weigh(teams: number): void {
    const { best, selection } = this
    if (teams === 0) return
    const { players, spread } = selection
    if (best) {
      const more = players - best.players || teams - best.teams || best.spread - spread
      if (!(more > 0)) return
    }
    if (this.seat.possible(selection.slots)) this.best = { players, teams, spread, slots: [...selection.slots] }
  }
}

/** The most teams that `players` single players can form, 0 when none. */
const teamsOf = (format: MatchFormat, players: number): number => {
  const { min, max } = format.teams[0] as MatchFormat['teams'][0]
  for (let teams = format.teams.length; teams >= format.minTeams; teams--) {
    if (players >= teams * min && players <= teams * max) return teams
  }
  return 0
}
