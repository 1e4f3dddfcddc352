import { holdingExceeded } from '../billing/limits'
import type { AccountWithin } from '../billing/plan'
import { ServiceError } from '../errors/service-error'
import type { Page, PageRequest } from '../shared/page'

/** A kind of thing of which an account or a project holds a bounded number. */
export interface Holding {
  /** The limit's name in `details.limit`. */
  readonly limit: string
  readonly allowed: number
  /** The thing's name in a sentence: "queue". */
  readonly what: string
}

/**
 * Throws PLAN_LIMIT_EXCEEDED where a list holds as many things as it may. The list is read before the commit, so calls that run at the
 * same time may pass the bound by their own number.
 */
export async function requireFewer(
  account: AccountWithin,
  { limit, allowed, what }: Holding,
  list: (page: PageRequest) => Promise<Page<unknown>>,
): Promise<void> {
  const { total } = await list({ limit: 1, offset: 0 })
  if (total >= allowed) throw ServiceError.of(holdingExceeded(account, limit, allowed, what))
}
