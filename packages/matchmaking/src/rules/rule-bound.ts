import type { ConfigIssue, MatchRule, RuleExpansion } from '../types'
import { checkBound, checkWhole } from './read'

/** The settings of rules that hold a bound. */
export type BoundName = 'maxDifference' | 'minOverlap' | 'maxMs' | 'value'

/** The bound of a rule type: the setting that holds it, what the setting may be, and how the steps of a rule loosen it. */
export interface RuleBound {
  /** Name of the bound, also in the steps that relax the rule. */
  readonly name: BoundName
  readonly least?: number
  /** Bounds with a greatest value are whole numbers. */
  readonly most?: number
  /** The bound of a rule that names none; absent where a rule must name one. */
  readonly unlessSaid?: number
  /** Which way steps loosen the bound; `never` where only `off` is a step. */
  readonly loosens: 'up' | 'down' | 'never'
}

export const DISTANCE: RuleBound = { name: 'maxDifference', least: 0, loosens: 'up' }
export const MILLISECONDS: RuleBound = { name: 'maxMs', least: 0, loosens: 'up' }
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

/** Returns the bound of an expansion's step; undefined where the step loosens something else. */
export const stepOf = (bound: RuleBound | null, step: RuleExpansion): number | undefined =>
  bound === null || bound.loosens === 'never' ? undefined : (step as Settings)[bound.name]

/** Returns what is wrong with a value as this bound. */
export function boundFaults(bound: RuleBound | null, value: number): ConfigIssue[] {
  if (bound === null) return []
  if (bound.most !== undefined) return checkWhole(bound.name, value, bound.least ?? 0, bound.most)
  return checkBound(bound.name, value, bound.least ?? Number.NEGATIVE_INFINITY)
}
