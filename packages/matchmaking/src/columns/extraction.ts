import type { RuleLevels } from '../config/match-format'
import { ALL_REGIONS, REGION_CODES } from '../rules/region-mask'
import type { Ticket } from '../types'
import { rolesOf } from '../verify/party'

type Players = Ticket['players']

/** Lowest and highest value of a party by slot; NaN where no player has the field. */
export interface RangeColumn {
  readonly levels: RuleLevels
  low: Float64Array
  high: Float64Array
}

/** Values shared by all players of a party, by slot; one array per level where the mask depends on the bound. */
export interface MaskColumn {
  readonly levels: RuleLevels
  /** The bits that must be common to all; a `ceiling` needs one. */
  readonly need: readonly number[]
  byLevel: Uint16Array[]
}

export interface KeyColumn {
  readonly levels: RuleLevels
  /** Interned values; 0: no player has the field. */
  keys: Int32Array
}

/** Sum and number of a field over a party's players. */
export interface SumColumn {
  readonly levels: RuleLevels
  sum: Float64Array
  count: Uint16Array
}

/** Lowest and highest value of a party. */
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

/** Returns the values shared by all players of a party, by level. */
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

/** Sum and number of a field over a party. */
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

/** The roles of the format that a player takes, sorted. */
export const takenRoles = (state: Players[0]['state'], roles: readonly string[]): readonly string[] => {
  const wishes = rolesOf(state)
  return wishes ? roles.filter((role) => wishes.includes(role)) : roles
}

/** The regions within a bound, as bits. */
const within = (pings: readonly number[], bound: number): number => {
  let mask = 0
  for (let index = 0; index < REGION_CODES.length; index++) if ((pings[index] as number) <= bound) mask |= 1 << index
  return mask
}
