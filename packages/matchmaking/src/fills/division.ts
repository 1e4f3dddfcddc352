import type { TicketColumns } from '../columns/ticket-columns'
import type { Ticket } from '../types'
import { rolesOf } from '../verify/party'
import { RoleSeats, type Wish } from '../verify/role-seats'
import type { OpenTeam } from './open-seats'
import { cheapestRoles } from './roles'

/** Places of parties in teams tried by one question; past them the best so far counts. */
const MAX_PLACES = 1_000

/** Looks for the team of each party that joins a match. */
export class Division {
  /** Whether not all was looked at. */
  bounded = false
  private readonly wishes: readonly (readonly Wish[])[]
  private readonly sizes: number[]
  private readonly seats: (RoleSeats | undefined)[]
  private readonly teamOf: number[] = []
  private best: readonly number[] | undefined
  private spread = Number.POSITIVE_INFINITY
  private cost = Number.POSITIVE_INFINITY
  places = 0

  constructor(
    private readonly columns: TicketColumns,
    private readonly teams: readonly OpenTeam[],
    private readonly slots: readonly number[],
    /** Where the rules on teams are judged; undefined: any way to sit will do. */
    private readonly level: number | undefined,
  ) {
    this.wishes = slots.map((slot) => (columns.tickets[slot] as Ticket).players.map(({ state }) => rolesOf(state)))
    this.sizes = teams.map(() => 0)
    this.seats = teams.map(({ roles }) => roles && RoleSeats.of(roles))
  }

  find(): readonly number[] | undefined {
    this.place(0)
    return this.best
  }

  private place(index: number): void {
    const party = this.wishes[index]
    if (!party) {
      this.keep()
      return
    }
    const { sizes, seats, teams } = this
    for (let team = 0; team < teams.length; team++) {
      const size = sizes[team] as number
      if (size + party.length > (teams[team] as OpenTeam).open) continue
      if (this.best && this.level === undefined) return
      if (++this.places > MAX_PLACES) {
        this.bounded = true
        return
      }
      const before = seats[team]
      const after = before?.copy()
      if (after && !party.every((wish) => after.seat(wish))) continue
      seats[team] = after
      sizes[team] = size + party.length
      this.teamOf.push(team)
      this.place(index + 1)
      this.teamOf.pop()
      sizes[team] = size
      seats[team] = before
    }
  }

  private keep(): void {
    const spread = this.level === undefined ? 0 : this.spreadAt(this.level)
    if (spread > this.spread || spread === Number.POSITIVE_INFINITY) return
    const cost = this.level === undefined ? 0 : this.costOfRoles()
    if (spread === this.spread && cost >= this.cost) return
    this.best = [...this.teamOf]
    this.spread = spread
    this.cost = cost
  }

  /** The spread of the balanced field, infinite where a rule on teams is broken. */
  private spreadAt(level: number): number {
    let spread = 0
    // The balanced field is the last column; the ones before it belong to rules on teams.
    for (let column = 0; column < this.columns.sums.length; column++) {
      const { kind, bounds, off } = (this.columns.sums[column] as TicketColumns['sums'][0]).levels
      const averages = this.averages(column)
      if (kind.shape === 'teams' && !off[level] && !kind.holds(averages, bounds[level] as number))
        return Number.POSITIVE_INFINITY
      spread = averages.length === 0 ? 0 : Math.max(...averages) - Math.min(...averages)
    }
    return spread
  }

  private averages(column: number): number[] {
    const { sum, count } = this.columns.sums[column] as TicketColumns['sums'][0]
    const totals = this.teams.map(({ sums }) => sums[column] as number)
    const present = this.teams.map(({ counts }) => counts[column] as number)
    this.teamOf.forEach((team, party) => {
      const slot = this.slots[party] as number
      totals[team] = (totals[team] as number) + (sum[slot] as number)
      present[team] = (present[team] as number) + (count[slot] as number)
    })
    return totals.map((total, team) => total / (present[team] as number)).filter((average) => !Number.isNaN(average))
  }

  private costOfRoles(): number {
    return this.teams.reduce((sum, { roles }, team) => {
      const players = this.wishes.flatMap((party, index) => (this.teamOf[index] === team ? party : []))
      return roles && players.length > 0 ? sum + (cheapestRoles(roles, players)?.cost ?? 0) : sum
    }, 0)
  }
}
