import type { Instant } from '../../shared/time'
import type { ClaimRequest } from './jobs'

/** Properties of a claimable job by which jobs are shared out fairly among tenants. */
export interface Claimable {
  readonly id: string
  readonly tenant: string
  readonly runAt: Instant
}

const byAge = (a: Claimable, b: Claimable) => a.runAt - b.runAt || (a.id < b.id ? -1 : 1)

/**
 * Returns the jobs that a claim takes (see `JobStore.claim`), for adapters. Tenants take turns: the first job of every tenant comes before
 * the second job of any tenant, and jobs that the claimer already holds count. No tenant gets more than `perTenant` jobs. Within a turn the
 * oldest job comes first.
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
