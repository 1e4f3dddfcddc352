import type { MatchRule } from '../types'
import type { RuleBound } from './rule-bound'

/**
 * Form in which the pool holds the values of a rule, which decides the rule's speed. A rule names its shape; the engine knows the shapes, never the rules.
 * - `key`: tickets of different keys never meet while the rule is on; the pool is bucketed by it.
 * - `range`: numbers whose highest and lowest in a match may lie `bound` apart; the first one orders the pool.
 * - `mask`: 16 bits, of which at least `bound` must be common to all.
 * - `ceiling`: 16 numbers, of which one must be within `bound` for all.
 * - `gate`: a number that each player passes or fails alone.
 * - `values`: any value; judged by `holds` over all values of the match. A condition that holds for a match must hold for every part of it.
 * - `teams`: numbers judged by the teams' averages once the players are seated; the lowest and the highest of them decide.
 */
export type RuleShape = 'key' | 'range' | 'mask' | 'ceiling' | 'gate' | 'values' | 'teams'

/** A rule type: everything the engine knows about it. */
export interface RuleKind<R extends MatchRule = MatchRule, V = unknown> {
  readonly type: R['type']
  readonly shape: RuleShape
  /** The kind of value that the field must hold, for a sentence: "a number". */
  readonly wants: string
  readonly bound: RuleBound | null
  /** The field that a rule reads where it names none; absent where it must name one. */
  readonly fieldUnlessSaid?: string
  /**
   * Returns the value that the rule reads from a player's state on entering; undefined (absent, null, of the wrong type) puts no constraint. It
   * depends on the rule's field alone, so that rules of one type and field may share it.
   */
  read(state: Readonly<Record<string, unknown>>, rule: R): V | undefined
  /** Whether these values may be in one match (for `teams`: whether these team averages may). */
  holds(values: readonly V[], bound: number): boolean
}

/** Keeps the rule's own types in its file and erases them for the registry. */
export const ruleKind = <R extends MatchRule, V>(kind: RuleKind<R, V>): RuleKind => kind as unknown as RuleKind
