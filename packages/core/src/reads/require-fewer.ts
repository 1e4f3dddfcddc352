import { holdingExceeded } from '../billing/limits'
import type { AccountWithin } from '../billing/plan'
import { ServiceError } from '../errors/service-error'
import type { Page, PageRequest } from '../shared/page'

/** Kind of object whose number in an account or a project is bounded. */
export interface Holding {
  /** Name of the limit in `details.limit`. */
  readonly limit: string
  readonly allowed: number
  /** Noun for the object in a sentence, such as "queue". */
  readonly what: string
}

/**
 * Throws PLAN_LIMIT_EXCEEDED when a list has reached its maximum. The list is read before the commit. Concurrent calls can therefore exceed
 * the maximum, by one object for each call.
 */
export async function requireFewer(
  account: AccountWithin,
  { limit, allowed, what }: Holding,
  list: (page: PageRequest) => Promise<Page<unknown>>,
): Promise<void> {
  const { total } = await list({ limit: 1, offset: 0 })
  if (total >= allowed) throw ServiceError.of(holdingExceeded(account, limit, allowed, what))
}
