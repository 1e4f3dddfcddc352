import type { Lane } from './lanes'

/** Bounds of the jobs that a claim may take. */
export interface Share {
  readonly limit: number
  readonly perTenant: number
  /** Number of running jobs by tenant, as the claim should count them. */
  readonly inHand: ReadonlyMap<string, number>
  /** Tenants whose endpoints do not answer, and that may get a job slot by this claim. */
  readonly asked: readonly string[]
}

export type Bounds = Pick<Lane, 'hands' | 'perTenant' | 'fewerAsHandsFill'>

/** Divisor of the number of job slots in the lane. All tenants whose endpoints do not answer share the quotient. */
const SILENT_PART = 4

/**
 * Returns the number of jobs that may be claimed in addition to the running jobs. In a lane with `fewerAsHandsFill`, the share of one
 * tenant shrinks as the job slots fill, and a claim takes at most half of the free slots. Slow tenants thus wait for each other long before
 * the last slot is taken, and a tenant with quick jobs finds a free slot. A tenant whose endpoint does not answer has one slot, and all
 * such tenants together have a quarter of the lane's slots.
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
