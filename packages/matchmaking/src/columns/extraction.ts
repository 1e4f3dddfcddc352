import type { RuleLevels } from '../config/match-format'
import { ALL_REGIONS, REGION_CODES } from '../rules/region-mask'
import type { Ticket } from '../types'
import { rolesOf } from '../verify/party'

type Players = Ticket['players']

/**
 * Column of a `range` rule: by slot (index of a ticket in the columns), the lowest and the highest value of the
 * ticket's players; NaN where no player has the field.
 */
export interface RangeColumn {
  readonly levels: RuleLevels
  low: Float64Array
  high: Float64Array
}

/**
 * Column of a `mask` or `ceiling` rule: by slot, the values that all players of the ticket share, as bits. When the
 * bits depend on the rule's bound, there is one array for each level; otherwise there is a single array.
 */
export interface MaskColumn {
  readonly levels: RuleLevels
  /**
   * By level: the number of bits that all parties of a match must have in common; always 1 for a `ceiling` rule, 0
   * where the rule is off.
   */
  readonly need: readonly number[]
  byLevel: Uint16Array[]
}

export interface KeyColumn {
  readonly levels: RuleLevels
  /** By slot: the number that stands for the party's value (see `Interner`); 0 where no player has the field. */
  keys: Int32Array
}

/**
 * Column of a field whose averages over teams are computed (for a rule on teams, or for even teams): by slot, the sum
 * of the field over the ticket's players, and the number of players who have the field.
 */
export interface SumColumn {
  readonly levels: RuleLevels
  sum: Float64Array
  count: Uint16Array
}

/** Writes the lowest and the highest value of a party into the column; NaN where no player has the field. */
export const extractRange = ({ levels, low, high }: RangeColumn, slot: number, players: Players): void => {
  let least = Number.NaN
  let most = Number.NaN
  for (const { state } of players) {
    const value = levels.kind.read(state, levels.rule) as number | undefined
    if (value === undefined) continue
    if (!(value >= least)) least = value
    if (!(value <= most)) most = value
  }
  low[slot] = least
  high[slot] = most
}

/** Writes the values that all players of a party share into the column, for every level. */
export const extractMask = ({ levels, byLevel }: MaskColumn, slot: number, players: Players): void => {
  byLevel.forEach((column, level) => {
    let shared = ALL_REGIONS
    for (const { state } of players) {
      const value = levels.kind.read(state, levels.rule)
      if (value === undefined) continue
      shared &= typeof value === 'number' ? value : within(value as readonly number[], levels.bounds[level] as number)
    }
    column[slot] = shared
  })
}

/** Writes the sum of a field over a party, and the number of players who have the field, into the column. */
export const extractSum = ({ levels, sum, count }: SumColumn, slot: number, players: Players): void => {
  let total = 0
  let present = 0
  for (const { state } of players) {
    const value = levels.kind.read(state, levels.rule) as number | undefined
    if (value === undefined) continue
    total += value
    present++
  }
  sum[slot] = total
  count[slot] = present
}

/**
 * Returns the roles that a player accepts, among the format's sorted `roles`; all of `roles` when the player's state
 * lists no roles.
 */
export const takenRoles = (state: Players[0]['state'], roles: readonly string[]): readonly string[] => {
  const wishes = rolesOf(state)
  return wishes ? roles.filter((role) => wishes.includes(role)) : roles
}

/** Returns the regions with a ping of at most `bound` milliseconds, as bits. */
const within = (pings: readonly number[], bound: number): number => {
  let mask = 0
  for (let index = 0; index < REGION_CODES.length; index++) if ((pings[index] as number) <= bound) mask |= 1 << index
  return mask
}
