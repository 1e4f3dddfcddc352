import type { MatchmakingConfig } from '../types'
import { formatOf } from './match-format'

/** A team of a full match. */
export interface FullTeam {
  readonly name: string
  readonly seats: number
  /** Number of seats by role, in the order of the configuration; null where teams have no roles. */
  readonly roles: Readonly<Record<string, number>> | null
}

/** Returns the teams of a full match, with the seats of each. The settings must pass `validateConfig`. */
export const fullTeams = (config: MatchmakingConfig): FullTeam[] =>
  formatOf(config).teams.map(({ name, max, roles }) => ({
    name,
    seats: max,
    roles: roles === undefined ? null : Object.fromEntries(roles),
  }))
