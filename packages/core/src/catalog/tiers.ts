/** Size of a game server of one tier. */
export interface TierSize {
  /** Number of CPU cores. */
  readonly cpus: number
  /** Memory in GiB. */
  readonly memoryGib: number
}

const size = (cpus: number, memoryGib: number): TierSize => ({ cpus, memoryGib })

/** Sizes of the 12 tiers, smallest first: 4 CPU sizes × 3 memory ratios (docs/http-api.md §3). */
export const TIER_SIZES = {
  /** 1 core and 1 GiB of memory; the default. */
  '1x-1g': size(1, 1),
  /** 1 core and 2 GiB of memory. */
  '1x-2g': size(1, 2),
  /** 1 core and 4 GiB of memory. */
  '1x-4g': size(1, 4),
  /** 2 cores and 2 GiB of memory. */
  '2x-2g': size(2, 2),
  /** 2 cores and 4 GiB of memory. */
  '2x-4g': size(2, 4),
  /** 2 cores and 8 GiB of memory. */
  '2x-8g': size(2, 8),
  /** 4 cores and 4 GiB of memory. */
  '4x-4g': size(4, 4),
  /** 4 cores and 8 GiB of memory. */
  '4x-8g': size(4, 8),
  /** 4 cores and 16 GiB of memory. */
  '4x-16g': size(4, 16),
  /** 8 cores and 8 GiB of memory. */
  '8x-8g': size(8, 8),
  /** 8 cores and 16 GiB of memory. */
  '8x-16g': size(8, 16),
  /** 8 cores and 32 GiB of memory; the largest. */
  '8x-32g': size(8, 32),
} as const satisfies Record<string, TierSize>

/** Name of a tier (a size of game servers): cores and gigabytes, for example `2x-4g`. */
export type Tier = keyof typeof TIER_SIZES

/** Names of the tiers, smallest first. */
export const TIERS = Object.keys(TIER_SIZES) as [Tier, ...Tier[]]
/** Tier of a server when neither the queue nor the call names one. */
export const DEFAULT_TIER: Tier = '1x-1g'
export const LARGEST_TIER: Tier = '8x-32g'

/** Whether `tier` is not larger than `ceiling`, in the order of `TIER_SIZES`. */
export const tierWithin = (tier: Tier, ceiling: Tier): boolean => TIERS.indexOf(tier) <= TIERS.indexOf(ceiling)
