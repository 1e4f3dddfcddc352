import type { MatchFormat, RuleLevels } from '../config/match-format'

/** Bounds of the rules in columns at each level of relaxation. */
export interface LevelBounds {
  /** By `range` rule, then level: the bound in force; a rule that is off has none. */
  readonly ranges: readonly (readonly number[])[]
  /** By `key` rule, then level: whether the rule is off. */
  readonly keysOff: readonly (readonly boolean[])[]
  /** By level: a set bit is a gate (or a party at odds with itself under a `key` rule) that still counts. */
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
