import type { Relaxation } from '../columns/relaxation'
import type { TicketColumns } from '../columns/ticket-columns'
import type { MatchFormat } from '../config/match-format'
import { PairRulesAt } from '../pairs/pair-rules-at'
import type { Fit } from '../seating/fit'
import { Candidates, MAX_CANDIDATES } from './candidates'
import type { SeatMatch } from './seat-match'
import { Selection } from './selection'
import type { Unit } from './unit'
import type { Way } from './way'
import { Window } from './window'

/**
 * Limits of the quick search: most candidates and most steps. In a full pool almost every anchor finds a match among
 * its nearest tickets; the other anchors get the long search.
 */
const QUICK_CANDIDATES = 40
const QUICK_STEPS = 300
/** Most steps of a long search: for full matches, and for short matches. */
const MAX_STEPS = 2_000
const MAX_SHORT_STEPS = 1_500

/** Shapes of rules with which a window search is enough, as long as the rule is on whole matches. */
const PLAIN_SHAPES: ReadonlySet<string> = new Set(['range', 'key', 'apart'])

/** Tickets that form a match, as places (positions in the unit). */
interface Found {
  readonly places: readonly number[]
  readonly players: number
  readonly teams: number
  readonly spread: number
}

/** Searches for a match around one anchor, the longest-waiting ticket of the match. */
export class Search {
  /** Whether the last search ended at a limit, so that it may have missed a match. */
  bounded = false
  private readonly beside: PairRulesAt
  private readonly selection: Selection
  private readonly candidates: Candidates
  private readonly window: Window
  /** Whether only distance, version, `equals` and `apart` rules limit the matches of single players. */
  private readonly plainRules: boolean
  private steps = 0
  private limit = 0
  /**
   * Slots that may join the anchor. `suffix`, by index in `slots`: the number of players from this slot to the last
   * slot.
   */
  private slots: readonly number[] = []
  private suffix: number[] = []
  private best: Found | undefined

  constructor(
    private readonly format: MatchFormat,
    private readonly columns: TicketColumns,
    private readonly fit: Fit,
    private readonly relaxation: Relaxation,
    private readonly seat: SeatMatch,
  ) {
    const beside = new PairRulesAt(columns)
    this.beside = beside
    this.selection = new Selection(columns, fit)
    this.candidates = new Candidates(beside, format.fullSize)
    this.window = new Window(beside)
    this.plainRules =
      !format.composed &&
      columns.ranges.length <= 1 &&
      format.rules.every(({ kind, inTeam }) => PLAIN_SHAPES.has(kind.shape) && !inTeam)
  }

  /**
   * Whether a window search is enough to find the match: the rules are plain (see `plainRules`) and every ticket of the
   * unit is a single player.
   */
  isPlain(unit: Unit): boolean {
    return this.plainRules && unit.alone
  }

  /**
   * Returns the places of a full match that the anchor leads; undefined when the search found no match. `without` is a
   * slot to leave out.
   */
  full(unit: Unit, anchor: number, without?: number): readonly number[] | undefined {
    this.bounded = false
    for (const open of this.ways(unit, anchor)) {
      const accepts = (slot: number) => slot !== without && (!open.accepts || open.accepts(slot))
      const way = without === undefined ? open : { ...open, accepts }
      const places = this.isPlain(unit) ? this.byWindow(way) : this.bySearch(way)
      if (places) return places
    }
    return undefined
  }

  /**
   * Returns the places of the largest short match that the anchor leads: most players, then most teams, then the least
   * spread.
   */
  short(unit: Unit, anchor: number): readonly number[] | undefined {
    this.bounded = false
    let best: Found | undefined
    for (const way of this.ways(unit, anchor)) {
      const found = this.isPlain(unit) ? this.shortByWindow(way) : this.shortBySearch(way)
      if (found && isLarger(found, best)) best = found
    }
    return best?.places
  }

  /**
   * Yields each level at which the rules may apply to a match with this anchor, the loosest level first, with each
   * value of a key that the anchor lacks.
   */
  private *ways(unit: Unit, anchor: number): Generator<Way> {
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
        yield { unit, anchor, level, accepts: undefined }
        continue
      }
      const { keys } = open
      for (const value of unit.valuesOf(keys)) {
        yield { unit, anchor, level, accepts: (other) => keys[other] === value || keys[other] === 0 }
      }
    }
  }

  private byWindow(way: Way): readonly number[] | undefined {
    const size = this.format.fullSize
    const reach = this.selection.reachAt(way.level)
    this.window.look(way, reach, size - 1)
    if (this.window.count < size) return undefined
    const places = this.window.closest(way.unit, size, reach)
    // The window may contain one player twice, two values of a second key, or two players who must not meet. Then the
    // general search is needed.
    return places && this.allFit(way, places) ? places : this.bySearch(way)
  }

  /**
   * Whether a match may stay valid when the anchor replaces a member: at most one member of the match cannot be
   * together with the anchor.
   */
  mayReplace(unit: Unit, anchor: number, match: readonly number[]): boolean {
    const { level } = this.columns
    const slot = unit.slot(anchor)
    let loosest = level[slot] as number
    for (const place of match) loosest = Math.max(loosest, level[unit.slot(place)] as number)
    let apart = 0
    for (const place of match) if (!this.beside.agree(slot, unit.slot(place), loosest) && ++apart > 1) return false
    return true
  }

  /** Number of players of a full match. */
  get fullSize(): number {
    return this.format.fullSize
  }

  /**
   * Returns the places of the anchor and of remaining tickets that fit it and each other: those that a search takes
   * first.
   */
  largestPart(unit: Unit, anchor: number): number[] {
    const level = this.columns.level[unit.slot(anchor)] as number
    const way = { unit, anchor, level, accepts: undefined }
    if (!this.start(way, Math.max(MAX_CANDIDATES, this.format.fullSize * 4), 0)) return [anchor]
    for (const slot of this.slots) if (this.selection.players < this.format.fullSize) this.selection.push(slot)
    return this.placesOf(way)
  }

  /** Whether the tickets at these places fit each other, as all tickets of a match or as some of them. */
  isPart(unit: Unit, places: readonly number[]): boolean {
    const { columns, format, selection } = this
    const slots = places.map((place) => unit.slot(place)).sort((a, b) => (columns.older(a, b) ? -1 : 1))
    const ruling = slots[format.ageOf === 'oldest' ? 0 : slots.length - 1] as number
    selection.start(columns.level[ruling] as number)
    return slots.every((slot) => selection.push(slot)) && selection.players <= format.fullSize
  }

  /** Whether the tickets at these places form a valid full match. */
  isMatch(unit: Unit, places: readonly number[]): boolean {
    const { selection, format } = this
    return this.isPart(unit, places) && selection.players === format.fullSize && this.seat.possible(selection.slots)
  }

  private allFit({ unit, anchor, level }: Way, places: readonly number[]): boolean {
    this.selection.start(level)
    this.selection.push(unit.slot(anchor))
    return places.every((place) => place === anchor || this.selection.push(unit.slot(place)))
  }

  private bySearch(way: Way): readonly number[] | undefined {
    const looks = [
      [Math.max(QUICK_CANDIDATES, this.format.fullSize * 2), QUICK_STEPS],
      [Math.max(MAX_CANDIDATES, this.format.fullSize * 4), MAX_STEPS],
    ] as const
    for (const [most, steps] of looks) {
      if (!this.start(way, most, steps)) return undefined
      if (this.grow(0)) return this.placesOf(way)
      if (!this.candidates.capped && this.steps <= this.limit) {
        if (this.fit.lossy) break
        return undefined
      }
    }
    this.bounded = true
    return undefined
  }

  /** Collects the candidates for the anchor. Returns whether the anchor by itself keeps all rules. */
  private start(way: Way, most: number, limit: number): boolean {
    const { unit, anchor, level } = way
    this.candidates.gather(way, this.selection.reachAt(level), most)
    const slots = this.candidates.places.map((place) => unit.slot(place))
    this.steps = 0
    this.limit = limit
    this.slots = slots
    this.suffix = new Array(slots.length + 1).fill(0)
    for (let index = slots.length - 1; index >= 0; index--) {
      this.suffix[index] = (this.suffix[index + 1] as number) + (this.columns.players[slots[index] as number] as number)
    }
    this.selection.start(level)
    this.best = undefined
    return this.selection.push(unit.slot(anchor))
  }

  private placesOf({ unit, anchor }: Way, slots: readonly number[] = this.selection.slots): number[] {
    const chosen = new Set(slots)
    return [anchor, ...this.candidates.places.filter((place) => chosen.has(unit.slot(place)))]
  }

  private grow(from: number): boolean {
    const { selection, format, slots } = this
    const lack = format.fullSize - selection.players
    if (lack === 0) return this.seat.possible(selection.slots)
    for (let index = from; index < slots.length; index++) {
      if ((this.suffix[index] as number) < lack) return false
      if (this.steps++ > this.limit) return false
      if (!selection.push(slots[index] as number)) continue
      if (this.grow(index + 1)) return true
      selection.pop()
    }
    return false
  }

  private shortByWindow(way: Way): Found | undefined {
    const { format, selection } = this
    const reach = selection.reachAt(way.level)
    this.window.look(way, reach, format.fullSize - 1)
    for (let players = Math.min(this.window.count, format.fullSize); players >= format.leastSize; players--) {
      const teams = teamsOf(format, players)
      const places = teams > 0 ? this.window.closest(way.unit, players, reach) : undefined
      if (!places) continue
      if (!this.allFit(way, places)) return this.shortBySearch(way)
      return { places, players, teams, spread: selection.spread }
    }
    return undefined
  }

  private shortBySearch(way: Way): Found | undefined {
    if (!this.start(way, Math.max(MAX_CANDIDATES, this.format.fullSize * 4), MAX_SHORT_STEPS)) return undefined
    this.growShort(0)
    if (this.steps > this.limit || this.candidates.capped || this.fit.lossy) this.bounded = true
    return this.best && { ...this.best, places: this.placesOf(way, this.best.places) }
  }

  /** Extends the selection and keeps the best match. Until the search ends, `best.places` holds slots, not places. */
  private growShort(from: number): void {
    const { selection, slots } = this
    this.weigh()
    for (let index = from; index < slots.length; index++) {
      if (selection.players + (this.suffix[index] as number) < (this.best?.players ?? this.format.leastSize)) return
      if (this.steps++ > this.limit) return
      if (!selection.push(slots[index] as number)) continue
      this.growShort(index + 1)
      selection.pop()
    }
  }

  private weigh(): void {
    const { players, spread, slots, state } = this.selection
    const found = { players, teams: this.fit.shortTeams(state), spread, places: slots }
    if (found.teams === 0 || !isLarger(found, this.best) || !this.seat.possible(slots)) return
    this.best = { ...found, places: [...slots] }
  }
}

/** Whether a match is larger than another: most players, then most teams, then the least spread. */
const isLarger = (a: Found, b: Found | undefined): boolean =>
  b === undefined || (a.players - b.players || a.teams - b.teams || b.spread - a.spread) > 0

/** Returns the largest number of teams that `players` single players can form, 0 for none. */
const teamsOf = (format: MatchFormat, players: number): number => {
  const { min, max } = format.teams[0] as MatchFormat['teams'][0]
  for (let teams = format.teams.length; teams >= format.minTeams; teams--) {
    const isEven = players % teams === 0 || format.maxSizeDifference >= 1
    if (players >= teams * min && players <= teams * max && isEven) return teams
  }
  return 0
}
