import type { MatchFormat } from '../config/match-format'
import type { Ticket, TicketPlayer } from '../types'

type State = TicketPlayer['state']

/** Returns the state of every player of these tickets, by player id. */
export const statesOf = (tickets: readonly Ticket[]): Map<string, State> =>
  new Map(tickets.flatMap(({ players }) => players.map(({ playerId, state }) => [playerId, state])))

/**
 * Returns the first rule that the players of these teams break at a level of relaxation; undefined when all rules hold.
 */
export const brokenRule = (
  format: MatchFormat,
  level: number,
  teams: readonly (readonly State[])[],
): string | undefined => {
  for (const { rule, kind, bounds, off } of format.rules) {
    if (off[level]) continue
    const read = (states: readonly State[]) =>
      states.map((state) => kind.read(state, rule)).filter((value) => value !== undefined)
    const values =
      kind.shape === 'teams'
        ? teams.map((states) => average(read(states) as number[])).filter((value) => value !== undefined)
        : read(teams.flat())
    if (!kind.holds(values, bounds[level] as number)) return `rule ${rule.type} on ${rule.field ?? 'regions'}`
  }
  return undefined
}

const average = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length
