import type { TicketColumns } from '../columns/ticket-columns'
import type { MatchFormat } from '../config/match-format'
import type { Fit } from '../seating/fit'
import { type RoleSeat, seatDivision, seatRoles } from '../seating/seat-roles'
import { seatSymmetric } from '../seating/seat-symmetric'
import { SubsetSeating } from '../seating/subset-seating'
import { teamsHold } from '../seating/team-averages'
import { clashesOf } from '../seating/team-clashes'
import type { ProposedPlayer, ProposedTeam, Ticket } from '../types'

/** Assigns the tickets of a match to its teams. The caller has checked that the tickets fit together. */
export class SeatMatch {
  /** Whether the queue has rules on teams. Only such rules can refuse every seating of tickets that fit together. */
  private readonly teamRules: boolean

  constructor(
    private readonly format: MatchFormat,
    private readonly columns: TicketColumns,
    private readonly fit: Fit,
  ) {
    this.teamRules = format.rules.some(({ kind, inTeam }) => kind.shape === 'teams' || inTeam)
  }

  /** Whether the tickets in these slots can be seated in teams. The search has a limit, so it may miss a seating. */
  possible(slots: readonly number[]): boolean {
    return !this.teamRules || this.seat(this.byAge(slots)) !== undefined
  }

  /** Returns the teams of a match of the tickets in these slots. */
  teams(slots: readonly number[]): readonly ProposedTeam[] {
    const ordered = this.byAge(slots)
    return this.seat(ordered) ?? this.seatBySubsets(ordered)
  }

  private byAge(slots: readonly number[]): number[] {
    return [...slots].sort((a, b) => (this.columns.older(a, b) ? -1 : 1))
  }

  private seat(ordered: readonly number[]): ProposedTeam[] | undefined {
    return this.format.composed ? this.composed(ordered) : this.symmetric(ordered)
  }

  /** Returns the teams of a match of a few tickets, when only the exhaustive search can seat them. */
  private seatBySubsets(ordered: readonly number[]): ProposedTeam[] {
    const { format, columns } = this
    const seating = new SubsetSeating(format, columns, ordered)
    const all = (1 << ordered.length) - 1
    const level = this.levelOf(ordered)
    const teams = seating.mostTeams(all, level)
    const teamOf = seating.divide(all, teams, level) as number[]
    if (!format.composed) return this.inTeams(ordered, teamOf, teams)
    return this.inRoles(ordered, seatDivision(format, this.tickets(ordered), teamOf) as RoleSeat[][])
  }

  private tickets(ordered: readonly number[]): Ticket[] {
    return ordered.map((slot) => this.columns.tickets[slot] as Ticket)
  }

  /**
   * Returns the level at which the rules apply to a match of these slots. In `ordered`, the slot with the longest wait
   * comes first.
   */
  private levelOf(ordered: readonly number[]): number {
    return this.columns.level[ordered[this.format.ageOf === 'oldest' ? 0 : ordered.length - 1] as number] as number
  }

  private symmetric(ordered: readonly number[]): ProposedTeam[] | undefined {
    const { format, columns, fit } = this
    let state = 0
    for (const slot of ordered) state = fit.next(state, columns.kind[slot] as number)
    // The loop tries the largest number of teams first. Fewer teams are needed only where a rule on teams refuses the
    // larger number.
    for (let teams = fit.shortTeams(state); teams >= format.minTeams; teams--) {
      const teamOf = seatSymmetric(format, columns, ordered, teams, this.levelOf(ordered))
      if (teamOf) return this.inTeams(ordered, teamOf, teams)
    }
    return undefined
  }

  /** Returns the proposed teams, in the order of each team's longest-waiting party. */
  private inTeams(ordered: readonly number[], teamOf: ArrayLike<number>, teams: number): ProposedTeam[] {
    const numbers = new Map<number, number>()
    for (const team of Array.from(teamOf)) if (!numbers.has(team)) numbers.set(team, numbers.size)
    const players: ProposedPlayer[][] = Array.from({ length: teams }, () => [])
    this.tickets(ordered).forEach((ticket, index) => {
      const team = players[numbers.get(teamOf[index] as number) as number] as ProposedPlayer[]
      for (const { playerId } of ticket.players) team.push({ playerId, ticketId: ticket.id, role: null })
    })
    return this.named(players)
  }

  private named(players: readonly ProposedPlayer[][]): ProposedTeam[] {
    return players.map((members, team) => ({ name: this.format.teams[team]?.name as string, players: members }))
  }

  private composed(ordered: readonly number[]): ProposedTeam[] | undefined {
    const level = this.levelOf(ordered)
    const teams = this.format.teams.length
    const accepts = (teamOf: readonly number[]) => teamsHold(this.columns, { slots: ordered, teamOf, teams }, level)
    const clashes = clashesOf(this.columns, ordered, level)
    const seats = seatRoles(this.format, this.tickets(ordered), accepts, clashes)
    return seats && this.inRoles(ordered, seats)
  }

  private inRoles(ordered: readonly number[], seats: readonly RoleSeat[][]): ProposedTeam[] {
    const players: ProposedPlayer[][] = this.format.teams.map(() => [])
    this.tickets(ordered).forEach((ticket, index) => {
      ticket.players.forEach(({ playerId }, seat) => {
        const { team, role } = (seats[index] as RoleSeat[])[seat] as RoleSeat
        players[team]?.push({ playerId, ticketId: ticket.id, role })
      })
    })
    return this.named(players)
  }
}
