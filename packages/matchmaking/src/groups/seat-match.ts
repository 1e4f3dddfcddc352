import type { TicketColumns } from '../columns/ticket-columns'
import type { MatchFormat } from '../config/match-format'
import type { Fit } from '../seating/fit'
import { seatRoles } from '../seating/seat-roles'
import { seatSymmetric } from '../seating/seat-symmetric'
import type { ProposedPlayer, ProposedTeam, Ticket } from '../types'

/** Seats the tickets of a match, found to fit, in its teams. */
export class SeatMatch {
  /** Whether a set that fits may still have no seating: only rules on teams can refuse one. */
  private readonly teamRules: boolean

  constructor(
    private readonly format: MatchFormat,
    private readonly columns: TicketColumns,
    private readonly fit: Fit,
  ) {
    this.teamRules = format.rules.some(({ kind }) => kind.shape === 'teams')
  }

  possible(slots: readonly number[]): boolean {
    return !this.teamRules || this.teams(slots) !== undefined
  }

  /** The teams of a match of these slots. */
  teams(slots: readonly number[]): ProposedTeam[] | undefined {
    const ordered = [...slots].sort((a, b) => (this.columns.older(a, b) ? -1 : 1))
    return this.format.composed ? this.composed(ordered) : this.symmetric(ordered)
  }

  /** The level of relaxation that a match of these slots, longest waiting first, is judged at. */
  private levelOf(ordered: readonly number[]): number {
    return this.columns.level[ordered[this.format.ageOf === 'oldest' ? 0 : ordered.length - 1] as number] as number
  }

  private symmetric(ordered: readonly number[]): ProposedTeam[] | undefined {
    const { format, columns, fit } = this
    let state = 0
    for (const slot of ordered) state = fit.next(state, columns.kind[slot] as number)
    // Most teams first; with fewer only where a rule on teams wants it.
    for (let teams = fit.shortTeams(state); teams >= format.minTeams; teams--) {
      const teamOf = seatSymmetric(format, columns, ordered, teams, this.levelOf(ordered))
      if (!teamOf) continue
      // Teams are numbered by their longest-waiting party.
      const numbers = new Map<number, number>()
      for (const team of teamOf) if (!numbers.has(team)) numbers.set(team, numbers.size)
      const players: ProposedPlayer[][] = Array.from({ length: teams }, () => [])
      ordered.forEach((slot, index) => {
        const team = players[numbers.get(teamOf[index] as number) as number] as ProposedPlayer[]
        const ticket = columns.tickets[slot] as Ticket
        for (const { playerId } of ticket.players) team.push({ playerId, ticketId: ticket.id, role: null })
      })
      return players.map((members, team) => ({ name: format.teams[team]?.name as string, players: members }))
    }
    return undefined
  }

  private composed(ordered: readonly number[]): ProposedTeam[] | undefined {
    const { format, columns } = this
    const tickets = ordered.map((slot) => columns.tickets[slot] as Ticket)
    const level = this.levelOf(ordered)
    const seats = seatRoles(format, tickets, (teamOf) => !this.teamRules || this.teamsHold(ordered, teamOf, level))
    if (!seats) return undefined
    const players: ProposedPlayer[][] = format.teams.map(() => [])
    tickets.forEach((ticket, index) => {
      ticket.players.forEach(({ playerId }, seat) => {
        const { team, role } = (seats[index] ?? [])[seat] as { team: number; role: string }
        players[team]?.push({ playerId, ticketId: ticket.id, role })
      })
    })
    return players.map((members, team) => ({ name: format.teams[team]?.name as string, players: members }))
  }

  private teamsHold(ordered: readonly number[], teamOf: readonly number[], level: number): boolean {
    return this.columns.sums.every(({ levels: rule, sum, count }) => {
      if (rule.kind.shape !== 'teams' || rule.off[level]) return true
      const averages = this.format.teams.map((_, team) => {
        let total = 0
        let present = 0
        ordered.forEach((slot, index) => {
          if (teamOf[index] !== team) return
          total += sum[slot] as number
          present += count[slot] as number
        })
        return present === 0 ? undefined : total / present
      })
      const known = averages.filter((average) => average !== undefined)
      return rule.kind.holds(known, rule.bounds[level] as number)
    })
  }
}
