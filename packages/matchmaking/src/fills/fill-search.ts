import type { TicketColumns } from '../columns/ticket-columns'
import type { MatchFormat } from '../config/match-format'
import { Selection } from '../groups/selection'
import { regionBit } from '../rules/region-mask'
import type { OpenSeats } from './open-seats'

/** Most parties and placements that one search tries. After that the search ends with the results so far. */
const MAX_STEPS = 6_000

/** Searches for sets of parties that can together fill seats of one running match's request. */
export class FillSearch {
  /** Whether the last search ended at a limit. */
  bounded = false
  private readonly selection: Selection
  private readonly newest: boolean
  private readonly teamRules: boolean
  private readonly joined: number[] = []
  private level = 0
  /** Whether the present players and the chosen parties keep all rules together at the current level. */
  private holds = false
  private bit = 0
  private steps = 0
  /** Number of steps that all searches of this object have taken so far. */
  spent = 0

  constructor(
    format: MatchFormat,
    private readonly columns: TicketColumns,
  ) {
    this.selection = new Selection(columns)
    this.newest = format.ageOf === 'newest'
    this.teamRules = format.rules.some(({ kind, inTeam }) => kind.shape === 'teams' || inTeam)
  }

  /**
   * Calls `enough` with each set of candidates that can join the match together, until `enough` returns true. Within a
   * set, the party that has waited longest comes first. Of two sets, the set with the oldest party that is in only one
   * of the two sets comes first. `candidates` are in order of age.
   */
  run(
    seats: OpenSeats,
    candidates: readonly number[],
    enough: (joined: readonly number[], level: number) => boolean,
  ): void {
    this.steps = 0
    this.bounded = false
    seats.bounded = false
    seats.places = 0
    this.joined.length = 0
    this.bit = regionBit(seats.request.region)
    // The rules are not checked for the present players alone: they may break one at the request's own level, and an
    // older party may bring a looser level.
    this.start(seats.slot, this.columns.level[seats.slot] as number)
    this.grow(seats, candidates, 0, 0, enough)
    this.bounded ||= seats.bounded
    this.spent += this.steps + seats.places
  }

  /** Extends the chosen parties by candidates from index `from` on; returns whether `enough` returned true. */
  private grow(
    seats: OpenSeats,
    candidates: readonly number[],
    from: number,
    players: number,
    enough: (joined: readonly number[], level: number) => boolean,
  ): boolean {
    for (let index = from; index < candidates.length && players < seats.open; index++) {
      if (this.steps++ + seats.places > MAX_STEPS) {
        this.bounded = true
        break
      }
      const party = candidates[index] as number
      const size = players + (this.columns.players[party] as number)
      const before = this.level
      if (size > seats.open || !this.join(seats, party)) continue
      if (this.grow(seats, candidates, index + 1, size, enough)) return true
      this.leave(seats.slot, before)
    }
    if (this.joined.length === 0) return false
    const seated = !this.teamRules || seats.divide(this.joined, this.level) !== undefined
    return seated && enough(this.joined, this.level)
  }

  private join(seats: OpenSeats, party: number): boolean {
    const { joined, level } = this
    const own = this.columns.level[party] as number
    const other = this.newest ? Math.min(level, own) : joined.length > 0 ? level : Math.max(level, own)
    if (other !== level) this.start(seats.slot, other)
    if (this.holds && this.push(party)) {
      joined.push(party)
      // With one chosen party no division is needed: each candidate was found to have a place when it joins alone.
      if (joined.length === 1 || seats.divide(joined)) return true
      this.leave(seats.slot, level)
    } else if (other !== level) {
      this.start(seats.slot, level)
    }
    return false
  }

  private leave(slot: number, level: number): void {
    this.joined.pop()
    if (level === this.level) this.selection.pop()
    else this.start(slot, level)
  }

  /** Checks the rules for the present players and the chosen parties again, at another level of relaxation. */
  private start(slot: number, level: number): void {
    this.level = level
    this.selection.start(level)
    this.holds = this.selection.push(slot) && this.joined.every((party) => this.push(party))
  }

  private push(party: number): boolean {
    return this.suits(party) && this.selection.push(party)
  }

  /** Whether the party can play in the region of the match. */
  private suits(party: number): boolean {
    return this.columns.masks.every(({ byLevel, need }) => {
      const mask = (byLevel[this.level] ?? byLevel[0]) as Uint16Array
      return need[this.level] === 0 || ((mask[party] as number) & this.bit) !== 0
    })
  }
}
