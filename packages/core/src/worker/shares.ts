import type { Lane } from './lanes'

/** Share of jobs that a claim may take. */
export interface Share {
  readonly limit: number
  readonly perTenant: number
  /** Running jobs by tenant, as the claim should count them. */
  readonly inHand: ReadonlyMap<string, number>
  /** Silent tenants that may get a hand by this claim. */
  readonly asked: readonly string[]
}

export type Bounds = Pick<Lane, 'hands' | 'perTenant' | 'fewerAsHandsFill'>

/** Divisor for the hands of a lane that all silent tenants have together. */
const SILENT_PART = 4

/**
 * Returns the share of jobs that may be claimed in addition to the running ones. In a lane with `fewerAsHandsFill`, the share of one tenant
 * shrinks as the hands fill, and a claim takes at most half of the free hands. So slow tenants wait for each other long before the last
 * hand is taken, and a tenant with quick jobs finds a free one. A silent tenant has one hand, and all silent tenants together a quarter of
 * the lane's.
 */
export function shareOf(
  { hands, perTenant, fewerAsHandsFill = false }: Bounds,
  inHand: ReadonlyMap<string, number>,
  silent: ReadonlySet<string> = new Set(),
): Share {
  const free = hands - [...inHand.values()].reduce((sum, count) => sum + count, 0)
  if (!fewerAsHandsFill) return { limit: free, perTenant, inHand, asked: [] }
  const most = Math.max(1, Math.floor((perTenant * free) / hands))
  const counted = new Map(inHand)
  const held = [...silent].filter((tenant) => (inHand.get(tenant) ?? 0) > 0)
  const asked = [...silent].filter((tenant) => !held.includes(tenant))
  const open = asked.slice(0, Math.max(0, Math.floor(hands / SILENT_PART) - held.length))
  for (const tenant of silent) counted.set(tenant, most)
  for (const tenant of open) counted.set(tenant, most - 1)
  return { limit: Math.ceil(free / 2), perTenant: most, inHand: counted, asked: open }
}
