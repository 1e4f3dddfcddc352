import type { MatchFormat, RuleLevels } from '../config/match-format'

/** Bounds of the rules in the columns, at each level of relaxation. */
export interface LevelBounds {
  /** By `range` rule, then level: the bound in force; infinite where the rule is off. */
  readonly ranges: readonly (readonly number[])[]
  /** By `key` rule, then level: whether the rule is off. */
  readonly keysOff: readonly (readonly boolean[])[]
  /**
   * By level: a bit for each `gate` rule, then for each `key` rule, set while the rule is on. A party whose `gates` have one of these bits
   * cannot be in a match.
   */
  readonly gateBits: readonly number[]
}

export const levelBounds = (
  format: MatchFormat,
  ranges: readonly RuleLevels[],
  gates: readonly RuleLevels[],
  keys: readonly RuleLevels[],
): LevelBounds => ({
  ranges: ranges.map(({ bounds, off }) =>
    bounds.map((bound, level) => (off[level] ? Number.POSITIVE_INFINITY : bound)),
  ),
  keysOff: keys.map(({ off }) => off),
  gateBits: Array.from({ length: format.thresholds.length + 1 }, (_, level) =>
    [...gates, ...keys].reduce((bits, { off }, index) => (off[level] ? bits : bits | (1 << index)), 0),
  ),
})
