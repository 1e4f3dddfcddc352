import type { RegionRule } from '../types'
import { checkWhole, readStrings } from './read'
import { popcount16, REGION_CODES, regionMask } from './region-mask'
import { ruleKind } from './rule-kind'

export const REGIONS_FIELD = 'regions'

/** At least `minOverlap` region codes are in every player's list; the server starts in one of them. */
export const region = ruleKind<RegionRule, number>({
  type: 'region',
  shape: 'mask',
  wants: 'a list of region codes',
  check: (rule) => checkWhole('minOverlap', rule.minOverlap ?? 1, 1, REGION_CODES.length),
  read: (state, rule) => {
    const codes = readStrings(state, rule.field ?? REGIONS_FIELD)
    return codes && regionMask(codes)
  },
  bound: (rule) => rule.minOverlap ?? 1,
  step: (expansion) => expansion.minOverlap,
  loosens: 'down',
  holds: (masks, bound) => {
    let shared = -1
    for (const mask of masks) shared &= mask
    return masks.length === 0 || popcount16(shared) >= bound
  },
})
