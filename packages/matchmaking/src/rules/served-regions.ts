import { ALL_REGIONS, popcount16 } from './region-mask'
import type { RuleKind } from './rule-kind'

/** Returns a rule type that sees only the regions of `served` (bits) in the players' lists and pings. */
export const readWithin = (kind: RuleKind, served: number): RuleKind => {
  if (served === ALL_REGIONS || (kind.shape !== 'mask' && kind.shape !== 'ceiling')) return kind
  return {
    ...kind,
    read: (state, rule) => {
      const value = kind.read(state, rule)
      if (value === undefined) return undefined
      return typeof value === 'number' ? value & served : pingsWithin(value as readonly number[], served)
    },
  }
}

/** Returns the pings by region; a region that is not served counts as Infinity. */
const pingsWithin = (pings: readonly number[], served: number): readonly number[] =>
  pings.map((ms, index) => (served & (1 << index) ? ms : Number.POSITIVE_INFINITY))

/**
 * Returns the bounds of a rule by level. Players cannot have more regions in common than there are served regions, so
 * the bounds of a `mask` rule are at most the number of served regions.
 */
export const boundWithin = ({ shape }: RuleKind, bounds: readonly number[], served: number): readonly number[] =>
  shape === 'mask' ? bounds.map((bound) => Math.min(bound, popcount16(served))) : bounds
