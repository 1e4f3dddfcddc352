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
 * Returns the jobs that a claim takes (see `JobStore.claim`), for adapters. The first job of every tenant comes before the second of any,
 * counting the jobs in hand, and no tenant gets more than `perTenant`. Within a turn the oldest job comes first.
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
