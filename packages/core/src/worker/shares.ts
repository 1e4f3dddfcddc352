import type { Lane } from './lanes'

/** What a claim may take. */
export interface Share {
  readonly limit: number
  readonly perTenant: number
  /** Jobs in hand, by tenant, as the claim is to count them. */
  readonly inHand: ReadonlyMap<string, number>
  /** Tenants that are silent and may be given a hand by this claim. */
  readonly asked: readonly string[]
}

export type Bounds = Pick<Lane, 'hands' | 'perTenant' | 'fewerAsHandsFill'>

/** Of a lane's hands those that all silent tenants have together. */
const SILENT_PART = 4

/**
 * What may be claimed beside what is in hand. Where a lane says so, what one tenant may have becomes fewer as the hands fill, and a claim
 * takes no more than half of those that are free: so those who hang stop each other long before the last hand, and whoever takes its
 * jobs at once always finds one. A silent tenant has one hand, and all of them a quarter of the lane's.
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
