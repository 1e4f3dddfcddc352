import type { TicketColumns } from '../columns/ticket-columns'
import type { MatchFormat } from '../config/match-format'
import { compareUnevenness, type EvenDivision, leastUneven, type Unevenness, unevennessOf } from './even-sizes'
import { divideEvenly } from './packing'
import { type Division, teamAverages, teamsHold } from './team-averages'
import { type Clashes, clashesOf, mayJoin } from './team-clashes'

/** Most parties for which the search tries every division over the teams. */
const MAX_EXACT_PARTIES = 8
/** Most steps of the search that divides a match of more parties. */
const MAX_DEALS = 5_000
/** Most exchanges of parties that are tried in larger matches. */
const MAX_SWAPS = 200

/**
 * Divides parties over `teams` teams without roles. Every rule on teams must hold at `level`, and the sizes may not
 * differ by more than the format allows. Among such divisions it takes the most even sizes, then the smallest
 * difference of team averages of the balanced field (the field by which teams should be equally strong). Returns the
 * team of each party; undefined where no division was found. For up to 8 parties the result is the best division; for
 * more parties it is a good division, improved by exchanges.
 */
export const seatSymmetric = (
  format: MatchFormat,
  columns: TicketColumns,
  parties: readonly number[],
  teams: number,
  level: number,
): Int32Array | undefined => {
  const seater = new Seater(format, columns, parties, teams, level)
  return parties.length <= MAX_EXACT_PARTIES ? seater.exact() : seater.good()
}

export class Seater {
  private readonly teamOf: Int32Array
  private readonly sizes: Int32Array
  private readonly division: Division
  private readonly least: number
  private readonly most: number
  /** Upper limit of the unevenness (the differences between team sizes). */
  private readonly loosest: Unevenness
  private best: Int32Array | undefined
  private lowest = Number.POSITIVE_INFINITY
  private mostEven: Unevenness | undefined
  private readonly clashes: Clashes | undefined

  constructor(
    private readonly format: MatchFormat,
    private readonly columns: TicketColumns,
    private readonly parties: readonly number[],
    private readonly teams: number,
    private readonly level: number,
  ) {
    this.teamOf = new Int32Array(parties.length).fill(-1)
    this.sizes = new Int32Array(teams)
    this.least = format.teams[0]?.min ?? 0
    this.most = format.teams[0]?.max ?? 0
    this.loosest = { difference: format.maxSizeDifference, squares: Number.POSITIVE_INFINITY }
    this.division = { slots: parties, teamOf: this.teamOf, teams }
    this.clashes = clashesOf(columns, parties, level)
  }

  exact(): Int32Array | undefined {
    this.place(0, 0)
    return this.best
  }

  private place(index: number, used: number): void {
    const slot = this.parties[index]
    if (slot === undefined) {
      for (let team = 0; team < this.teams; team++) if ((this.sizes[team] as number) < this.least) return
      this.keep()
      return
    }
    const size = this.columns.players[slot] as number
    // All empty teams are the same, so only the first of them is tried.
    for (let team = 0; team < Math.min(used + 1, this.teams); team++) {
      if ((this.sizes[team] as number) + size > this.most) continue
      if (!mayJoin(this.clashes, index, team, this.teamOf, index)) continue
      this.sizes[team] = (this.sizes[team] as number) + size
      this.teamOf[index] = team
      this.place(index + 1, Math.max(used, team + 1))
      this.sizes[team] = (this.sizes[team] as number) - size
    }
  }

  private keep(): void {
    const unevenness = unevennessOf(this.sizes)
    const order = compareUnevenness(unevenness, this.mostEven ?? this.loosest)
    if (order > 0) return
    const spread = this.spreadNow()
    if (spread === Number.POSITIVE_INFINITY || (order === 0 && spread >= this.lowest)) return
    this.mostEven = unevenness
    this.lowest = spread
    this.best = this.teamOf.slice()
  }

  /**
   * Returns the difference between the highest and the lowest team average of the balanced field; infinite where a rule
   * on teams is broken.
   */
  private spreadNow(): number {
    if (!teamsHold(this.columns, this.division, this.level)) return Number.POSITIVE_INFINITY
    const { clashes, teamOf } = this
    if (clashes?.some((_, party) => !mayJoin(clashes, party, teamOf[party] as number, teamOf))) {
      return Number.POSITIVE_INFINITY
    }
    // The balanced field is the last column; the columns before it belong to rules on teams.
    const balanced = this.columns.sums.at(-1)
    const averages = balanced ? teamAverages(balanced, this.division) : []
    return averages.length === 0 ? 0 : Math.max(...averages) - Math.min(...averages)
  }

  /**
   * Returns a good division: places the largest parties first, each in the emptiest team, so that the sizes become
   * even. Then it exchanges parties between teams to bring the averages closer.
   */
  good(): Int32Array | undefined {
    const order = this.parties.map((_, index) => index)
    const column = this.columns.sums.at(-1)
    const average = (index: number) => {
      const slot = this.parties[index] as number
      return column && (column.count[slot] as number) > 0
        ? (column.sum[slot] as number) / (column.count[slot] as number)
        : 0
    }
    const size = (index: number) => this.columns.players[this.parties[index] as number] as number
    order.sort((a, b) => size(b) - size(a) || average(b) - average(a) || a - b)
    const sizes = order.map(size)
    // In a full match every team is full, so there is no even division to search.
    const isFull = sizes.reduce((sum, one) => sum + one, 0) === this.teams * this.most
    const places = this.clashes && order.map((_, at) => order.indexOf(at))
    const clashes = places && order.map((index) => this.clashes?.[index]?.map((other) => places[other] as number) ?? [])
    const target: EvenDivision = isFull
      ? this.loosest
      : leastUneven(sizes, this.teams, this.least, this.most, this.loosest, clashes)
    let steps = 0
    const deal = (at: number): boolean => {
      if (steps++ > MAX_DEALS) return false
      const index = order[at]
      if (index === undefined) {
        return (
          this.sizes.every((players) => players >= this.least) &&
          compareUnevenness(unevennessOf(this.sizes), target) <= 0
        )
      }
      const rooms = Array.from(this.sizes.keys()).sort(
        (a, b) => (this.sizes[a] as number) - (this.sizes[b] as number) || this.sumOf(a) - this.sumOf(b) || a - b,
      )
      for (const team of rooms) {
        if ((this.sizes[team] as number) + size(index) > this.most) continue
        if (!mayJoin(this.clashes, index, team, this.teamOf)) continue
        this.sizes[team] = (this.sizes[team] as number) + size(index)
        this.teamOf[index] = team
        if (deal(at + 1)) return true
        this.teamOf[index] = -1
        this.sizes[team] = (this.sizes[team] as number) - size(index)
      }
      return false
    }
    if (!deal(0)) {
      // The steps above did not find the even division that is known to exist, so the known division is used instead.
      const teamOf = target.teamOf ?? divideEvenly(this.format, sizes, this.teams)
      if (!teamOf) return undefined
      for (const [at, index] of order.entries()) this.teamOf[index] = teamOf[at] as number
    }
    this.exchange(size)
    return this.spreadNow() < Number.POSITIVE_INFINITY ? this.teamOf : undefined
  }

  private sumOf(team: number): number {
    const column = this.columns.sums.at(-1)
    if (!column) return 0
    let total = 0
    this.parties.forEach((slot, index) => {
      if (this.teamOf[index] === team) total += column.sum[slot] as number
    })
    return total
  }

  /**
   * Exchanges parties of the same size between two teams, and keeps each exchange that lowers the difference of the
   * averages.
   */
  private exchange(size: (index: number) => number): void {
    let spread = this.spreadNow()
    let tried = 0
    for (let improved = true; improved; ) {
      improved = false
      for (let a = 0; a < this.parties.length; a++) {
        for (let b = a + 1; b < this.parties.length; b++) {
          if (this.teamOf[a] === this.teamOf[b] || size(a) !== size(b)) continue
          if (tried++ > MAX_SWAPS) return
          this.swap(a, b)
          const after = this.spreadNow()
          if (after < spread) {
            spread = after
            improved = true
          } else {
            this.swap(a, b)
          }
        }
      }
    }
  }

  private swap(a: number, b: number): void {
    const team = this.teamOf[a] as number
    this.teamOf[a] = this.teamOf[b] as number
    this.teamOf[b] = team
  }
}
