import type { TicketColumns } from '../columns/ticket-columns'
import type { MatchFormat } from '../config/match-format'
import { Selection } from '../groups/selection'
import { regionBit } from '../rules/region-mask'
import type { OpenSeats } from './open-seats'

/** Parties and places tried by one search; beyond these it ends with its results so far. */
const MAX_STEPS = 6_000

/** Looks for sets of parties that may fill seats of one request together. */
export class FillSearch {
  /** Whether the last search ended at a bound. */
  bounded = false
  private readonly selection: Selection
  private readonly newest: boolean
  private readonly teamRules: boolean
  private readonly joined: number[] = []
  private level = 0
  /** Whether those who play, and those who joined, are good together at the level. */
  private holds = false
  private bit = 0
  private steps = 0
  /** Steps of all searches so far. */
  spent = 0

  constructor(
    format: MatchFormat,
    private readonly columns: TicketColumns,
  ) {
    this.selection = new Selection(columns)
    this.newest = format.ageOf === 'newest'
    this.teamRules = format.rules.some(({ kind }) => kind.shape === 'teams')
  }

  /**
   * Shows the sets of candidates that may join together, each longest waiting first, until `enough`. Of two sets the one is shown
   * first that holds the oldest of those who are in one of them alone. `candidates` are by age.
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
    // Where those who play break a rule at the request's own level, somebody older may bring a looser one.
    this.start(seats.slot, this.columns.level[seats.slot] as number)
    this.grow(seats, candidates, 0, 0, enough)
    this.bounded ||= seats.bounded
    this.spent += this.steps + seats.places
  }

  /** Whether there was enough. */
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
      // Candidates are such that each could sit alone.
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

  /** Judges all anew at a level. */
  private start(slot: number, level: number): void {
    this.level = level
    this.selection.start(level)
    this.holds = this.selection.push(slot) && this.joined.every((party) => this.push(party))
  }

  private push(party: number): boolean {
    return this.suits(party) && this.selection.push(party)
  }

  /** Whether the region of the match is one of the party's. */
  private suits(party: number): boolean {
    return this.columns.masks.every(({ byLevel, need }) => {
      const mask = (byLevel[this.level] ?? byLevel[0]) as Uint16Array
      return need[this.level] === 0 || ((mask[party] as number) & this.bit) !== 0
    })
  }
}
