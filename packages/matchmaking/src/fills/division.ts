import type { TicketColumns } from '../columns/ticket-columns'
import { namesAny } from '../rules/apart'
import { type Clashes, clashesOf, mayJoin } from '../seating/team-clashes'
import type { Ticket } from '../types'
import { rolesOf } from '../verify/party'
import { RoleSeats, type Wish } from '../verify/role-seats'
import type { OpenTeam } from './open-team'
import { cheapestRoles } from './roles'

/**
 * Most placements of parties in teams that one search tries. After that the search returns the best division so far.
 */
const MAX_PLACES = 1_000

/** Searches for a division of parties over the open seats of a running match: the team of each party that joins. */
export class Division {
  /** Whether the search ended at its limit, so that it may have missed a division. */
  bounded = false
  places = 0
  /** By party: the roles that each player accepts, in order of preference. Empty where no team has roles. */
  private readonly wishes: readonly (readonly Wish[])[]
  private readonly free: number[]
  private readonly seats: (RoleSeats | undefined)[]
  /**
   * First index: the sum column of a field. Second index: the team. The values are the sum of the field and the number
   * of its values, over the present players and the parties placed so far.
   */
  private readonly sums: number[][]
  private readonly counts: number[][]
  private readonly teamOf: number[] = []
  private best: readonly number[] | undefined
  /** The parties that clash with each other in a team; and by team, whether its present players bar a party. */
  private readonly clashes: Clashes | undefined
  private spread = Number.POSITIVE_INFINITY
  private cost = Number.POSITIVE_INFINITY

  constructor(
    private readonly columns: TicketColumns,
    private readonly teams: readonly OpenTeam[],
    private readonly slots: readonly number[],
    /** Level of relaxation at which the rules on teams are checked; undefined when any division is good enough. */
    private readonly level: number | undefined,
  ) {
    this.free = teams.map(({ open }) => open)
    this.seats = teams.map(({ roles }) => roles && RoleSeats.of(roles))
    this.wishes = this.seats.some((seats) => seats)
      ? slots.map((slot) => (columns.tickets[slot] as Ticket).players.map(({ state }) => rolesOf(state)))
      : []
    this.clashes = level === undefined ? undefined : clashesOf(columns, slots, level)
    const judged = level === undefined ? [] : columns.sums
    this.sums = judged.map((_, column) => teams.map(({ sums }) => sums[column] as number))
    this.counts = judged.map((_, column) => teams.map(({ counts }) => counts[column] as number))
  }

  find(): readonly number[] | undefined {
    if (this.level === undefined || !this.teamsClash(this.level)) this.place(0)
    return this.best
  }

  private place(index: number): void {
    const slot = this.slots[index]
    if (slot === undefined) {
      this.keep()
      return
    }
    const { free, seats, teamOf } = this
    const size = this.columns.players[slot] as number
    for (let team = 0; team < free.length; team++) {
      if (size > (free[team] as number)) continue
      if ((this.best && this.level === undefined) || this.bounded) return
      if (this.level !== undefined && !this.mayJoin(index, team, this.level)) continue
      this.bounded = ++this.places > MAX_PLACES
      const before = seats[team]
      const after = before?.copy()
      if (after && !this.wishes[index]?.every((wish) => after.seat(wish))) continue
      seats[team] = after
      free[team] = (free[team] as number) - size
      this.weigh(slot, team, 1)
      teamOf.push(team)
      this.place(index + 1)
      teamOf.pop()
      this.weigh(slot, team, -1)
      free[team] = (free[team] as number) + size
      seats[team] = before
    }
  }

  /** Whether a party may join a team, beside its present players and the parties placed before it. */
  private mayJoin(index: number, team: number, level: number): boolean {
    const { columns, slots, teams } = this
    const { players } = columns.tickets[slots[index] as number] as Ticket
    const present = (teams[team] as OpenTeam).players
    return mayJoin(this.clashes, index, team, this.teamOf, index) && !this.areApart(players, present, level)
  }

  /** Whether the present players of a team must not be in one team. */
  private teamsClash(level: number): boolean {
    return this.teams.some(({ players }) => this.areApart(players, players, level))
  }

  private areApart(players: Ticket['players'], others: Ticket['players'], level: number): boolean {
    return this.columns.teamApart.some(({ levels: { kind, rule, bounds, off } }) => {
      const parts = (a: Ticket['players'], b: Ticket['players']) =>
        namesAny(kind, rule, a, b, bounds[level] as number, this.columns.now)
      return !off[level] && (parts(players, others) || parts(others, players))
    })
  }

  private weigh(slot: number, team: number, by: 1 | -1): void {
    for (let at = 0; at < this.sums.length; at++) {
      const { sum, count } = this.columns.sums[at] as TicketColumns['sums'][0]
      const [sums, counts] = [this.sums[at] as number[], this.counts[at] as number[]]
      sums[team] = (sums[team] as number) + by * (sum[slot] as number)
      counts[team] = (counts[team] as number) + by * (count[slot] as number)
    }
  }

  private keep(): void {
    const spread = this.spreadNow()
    if (spread > this.spread || spread === Number.POSITIVE_INFINITY) return
    const cost = this.level === undefined ? 0 : this.costOfRoles()
    if (spread === this.spread && cost >= this.cost) return
    this.best = [...this.teamOf]
    this.spread = spread
    this.cost = cost
  }

  /**
   * Returns the difference between the highest and the lowest team average of the balanced field (the field by which
   * teams should be equally strong); infinite where a rule on teams is broken.
   */
  private spreadNow(): number {
    let spread = 0
    // The balanced field is the last column; the columns before it belong to rules on teams.
    for (let column = 0; column < this.sums.length; column++) {
      const { kind, bounds, off } = (this.columns.sums[column] as TicketColumns['sums'][0]).levels
      const [low, high] = this.ends(column)
      const level = this.level as number
      if (kind.shape === 'teams' && !off[level] && low <= high && !kind.holds([low, high], bounds[level] as number))
        return Number.POSITIVE_INFINITY
      spread = Math.max(0, high - low)
    }
    return spread
  }

  /** Returns the lowest and the highest team average of a field. */
  private ends(column: number): [number, number] {
    let low = Number.POSITIVE_INFINITY
    let high = Number.NEGATIVE_INFINITY
    for (let team = 0; team < this.free.length; team++) {
      const count = (this.counts[column] as number[])[team] as number
      if (count === 0) continue
      const average = ((this.sums[column] as number[])[team] as number) / count
      low = Math.min(low, average)
      high = Math.max(high, average)
    }
    return [low, high]
  }

  private costOfRoles(): number {
    return this.teams.reduce((sum, { roles }, team) => {
      const players = this.wishes.flatMap((party, index) => (this.teamOf[index] === team ? party : []))
      return roles && players.length > 0 ? sum + (cheapestRoles(roles, players)?.cost ?? 0) : sum
    }, 0)
  }
}
