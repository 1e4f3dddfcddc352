import type { MatchFormat, RuleLevels } from '../config/match-format'

/**
 * Bounds of the rules in the columns, at each level of relaxation. The rules are grouped by their shape (see
 * `RuleShape`).
 */
export interface LevelBounds {
  /**
   * First index: the number of the `range` rule. Second index: the level. The value is the bound at this level;
   * infinite where the rule is off.
   */
  readonly ranges: readonly (readonly number[])[]
  /**
   * First index: the number of the `key` rule. Second index: the level. The value says whether the rule is off at this
   * level.
   */
  readonly keysOff: readonly (readonly boolean[])[]
  /**
   * By level: one bit for each `gate` rule, then one bit for each `key` rule, then one for each `apart` rule. A bit is
   * set while its rule is on. A party whose `gates` column contains one of the set bits cannot be in a match.
   */
  readonly gateBits: readonly number[]
}

export const levelBounds = (
  format: MatchFormat,
  ranges: readonly RuleLevels[],
  gates: readonly RuleLevels[],
  keys: readonly RuleLevels[],
  apart: readonly RuleLevels[],
): LevelBounds => ({
  ranges: ranges.map(({ bounds, off }) =>
    bounds.map((bound, level) => (off[level] ? Number.POSITIVE_INFINITY : bound)),
  ),
  keysOff: keys.map(({ off }) => off),
  gateBits: Array.from({ length: format.thresholds.length + 1 }, (_, level) =>
    [...gates, ...keys, ...apart].reduce((bits, { off }, index) => (off[level] ? bits : bits | (1 << index)), 0),
  ),
})
