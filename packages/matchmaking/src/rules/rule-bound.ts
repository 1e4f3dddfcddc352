import type { ConfigIssue, MatchRule, RuleExpansion } from '../types'
import { checkBound, checkWhole } from './read'

/** Names of the settings that can hold the bound of a rule. */
export type BoundName = 'maxDifference' | 'minOverlap' | 'maxMs' | 'seconds' | 'value'

/**
 * The bound of a rule type: the setting that holds it, its allowed values, and the direction in which expansion steps
 * loosen it.
 */
export interface RuleBound {
  /** Name of the setting that holds the bound, in rules and in their expansion steps. */
  readonly name: BoundName
  readonly least?: number
  /** Greatest allowed value of the bound. A bound with a greatest value must be a whole number. */
  readonly most?: number
  /** Default bound of a rule that sets no bound; absent where a rule must set the bound. */
  readonly unlessSaid?: number
  /** Direction in which expansion steps loosen the bound; `never` where only `off` loosens the rule. */
  readonly loosens: 'up' | 'down' | 'never'
}

export const DISTANCE: RuleBound = { name: 'maxDifference', least: 0, loosens: 'up' }
export const MILLISECONDS: RuleBound = { name: 'maxMs', least: 0, loosens: 'up' }
export const SECONDS: RuleBound = { name: 'seconds', least: 1, most: 86_400, unlessSaid: 600, loosens: 'down' }
export const LIMIT: RuleBound = { name: 'value', loosens: 'never' }
export const overlapUpTo = (most: number): RuleBound => ({
  name: 'minOverlap',
  least: 1,
  most,
  unlessSaid: 1,
  loosens: 'down',
})

type Settings = Readonly<Partial<Record<BoundName, number>>>

/** Returns the bound of a rule before any expansion; 0 for a rule type without one. */
export const boundOf = (bound: RuleBound | null, rule: MatchRule): number =>
  bound === null ? 0 : ((rule as Settings)[bound.name] ?? bound.unlessSaid ?? Number.NaN)

/** Returns the bound that an expansion step of a rule sets; undefined where the step sets no bound. */
export const stepOf = (bound: RuleBound | null, step: RuleExpansion): number | undefined =>
  bound === null || bound.loosens === 'never' ? undefined : (step as Settings)[bound.name]

/** Returns the faults of `value` as a bound of this type; empty when the value is allowed. */
export function boundFaults(bound: RuleBound | null, value: number): ConfigIssue[] {
  if (bound === null) return []
  if (bound.most !== undefined) return checkWhole(bound.name, value, bound.least ?? 0, bound.most)
  return checkBound(bound.name, value, bound.least ?? Number.NEGATIVE_INFINITY)
}
