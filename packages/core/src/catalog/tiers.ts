export interface TierSize {
  readonly cpus: number
  readonly memoryGib: number
}

/** Sizes of the 12 tiers, smallest first: 4 CPU sizes × 3 memory ratios (docs/http-api.md §3). */
export const TIER_SIZES = {
  '1x-1g': { cpus: 1, memoryGib: 1 },
  '1x-2g': { cpus: 1, memoryGib: 2 },
  '1x-4g': { cpus: 1, memoryGib: 4 },
  '2x-2g': { cpus: 2, memoryGib: 2 },
  '2x-4g': { cpus: 2, memoryGib: 4 },
  '2x-8g': { cpus: 2, memoryGib: 8 },
  '4x-4g': { cpus: 4, memoryGib: 4 },
  '4x-8g': { cpus: 4, memoryGib: 8 },
  '4x-16g': { cpus: 4, memoryGib: 16 },
  '8x-8g': { cpus: 8, memoryGib: 8 },
  '8x-16g': { cpus: 8, memoryGib: 16 },
  '8x-32g': { cpus: 8, memoryGib: 32 },
} as const satisfies Record<string, TierSize>

export type Tier = keyof typeof TIER_SIZES

export const TIERS = Object.keys(TIER_SIZES) as [Tier, ...Tier[]]
export const DEFAULT_TIER: Tier = '1x-1g'
export const LARGEST_TIER: Tier = '8x-32g'

/** Whether `tier` is not larger than `ceiling`, in the order of `TIER_SIZES`. */
export const tierWithin = (tier: Tier, ceiling: Tier): boolean => TIERS.indexOf(tier) <= TIERS.indexOf(ceiling)
