import type { SumColumn } from '../columns/extraction'
import type { TicketColumns } from '../columns/ticket-columns'

/** Slots of parties, and the team of each party; −1 for a party that has no team yet. */
export interface Division {
  readonly slots: readonly number[]
  readonly teamOf: ArrayLike<number>
  readonly teams: number
}

/** Returns the average of a field in each team in which at least one player has the field. */
export const teamAverages = ({ sum, count }: SumColumn, { slots, teamOf, teams }: Division): number[] => {
  const totals = new Array<number>(teams).fill(0)
  const present = new Array<number>(teams).fill(0)
  for (let party = 0; party < slots.length; party++) {
    const team = teamOf[party] as number
    if (team < 0) continue
    totals[team] = (totals[team] as number) + (sum[slots[party] as number] as number)
    present[team] = (present[team] as number) + (count[slots[party] as number] as number)
  }
  return totals.map((total, team) => total / (present[team] as number)).filter((average) => !Number.isNaN(average))
}

/** Whether every rule on teams holds at a level, for the teams that have players. */
export const teamsHold = ({ sums }: TicketColumns, division: Division, level: number): boolean =>
  sums.every((column) => {
    const { kind, bounds, off } = column.levels
    return kind.shape !== 'teams' || off[level] || kind.holds(teamAverages(column, division), bounds[level] as number)
  })
