import type { RegionRule } from '../types'
import { readStrings } from './read'
import { popcount16, REGION_CODES, regionMask } from './region-mask'
import { overlapUpTo } from './rule-bound'
import type { RuleForm } from './rule-form'
import { ruleKind } from './rule-kind'
import { REGION_LISTS } from './value-kind'

export const REGIONS_FIELD = 'regions'

/**
 * Rule type `region`: at least `minOverlap` region codes are in the lists of all players of a match. The server starts
 * in one of these regions.
 */
export const region = ruleKind<RegionRule, number>({
  type: 'region',
  shape: 'mask',
  wants: 'a list of region codes',
  bound: overlapUpTo(REGION_CODES.length),
  fieldUnlessSaid: REGIONS_FIELD,
  read: (state, rule) => {
    const codes = readStrings(state, rule.field ?? REGIONS_FIELD)
    return codes && regionMask(codes)
  },
  holds: (masks, bound) => {
    let shared = -1
    for (const mask of masks) shared &= mask
    return masks.length === 0 || popcount16(shared) >= bound
  },
})

export const regionForm: RuleForm<RegionRule> = {
  label: 'region',
  asks: 'all share regions, at least',
  reads: REGION_LISTS,
  sample: ({ minOverlap = 1 }) => [...new Set(['iad', 'fra', ...REGION_CODES])].slice(0, Math.max(2, minOverlap)),
}
