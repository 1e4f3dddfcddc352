import { TIER_SIZES, TIERS, type Tier } from './tiers'

/** Prices of the tiers in whole micro-USD per hour. An operator can replace them (docs/http-api.md §3). */
export type PriceTable = Readonly<Record<Tier, number>>

/** Micro-USD of one US dollar. */
export const MICRO_USD = 1_000_000
export const MICRO_USD_PER_CPU_HOUR = 20_000
export const MICRO_USD_PER_GIB_HOUR = 5_000

/** Default prices: 20,000 micro-USD for each CPU and 5,000 micro-USD for each GiB of memory, per hour. */
export const DEFAULT_PRICES: PriceTable = Object.fromEntries(
  TIERS.map((tier) => {
    const { cpus, memoryGib } = TIER_SIZES[tier]
    return [tier, cpus * MICRO_USD_PER_CPU_HOUR + memoryGib * MICRO_USD_PER_GIB_HOUR]
  }),
) as Record<Tier, number>
