import type { Instant } from '../../shared/time'
import type { ClaimRequest } from './jobs'

/** Properties of a claimable job that fairness uses. */
export interface Claimable {
  readonly id: string
  readonly tenant: string
  readonly runAt: Instant
}

const byAge = (a: Claimable, b: Claimable) => a.runAt - b.runAt || (a.id < b.id ? -1 : 1)

/**
 * Chooses among jobs that could be claimed as the port says: every tenant's first before any tenant's second, those in hand
 * counted, none beyond its share, the oldest first within a turn. For adapters.
 */
export function takeTurns<T extends Claimable>(
  claimable: readonly T[],
  { limit, perTenant, inHand }: Pick<ClaimRequest, 'limit' | 'perTenant' | 'inHand'>,
): T[] {
  const taken = new Map(inHand)
  return [...claimable]
    .sort(byAge)
    .map((job) => {
      const turn = (taken.get(job.tenant) ?? 0) + 1
      taken.set(job.tenant, turn)
      return { job, turn }
    })
    .filter(({ turn }) => turn <= perTenant)
    .sort((a, b) => a.turn - b.turn || byAge(a.job, b.job))
    .slice(0, limit)
    .map(({ job }) => job)
}
