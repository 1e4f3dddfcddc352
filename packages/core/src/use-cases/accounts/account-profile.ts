import type { Account } from '../../account/account'
import type { AccountTariff, Plan } from '../../catalog/plans'

/** Public profile of an account: no hash, no payment customer. */
export interface AccountProfile {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly plan: Plan
  /** Where the limits and charges are not the plan's. */
  readonly tariff?: AccountTariff | undefined
  readonly createdAt: number
  readonly updatedAt: number
}

export function profileOf({ id, email, name, plan, tariff, createdAt, updatedAt }: Account): AccountProfile {
  return { id, email, name, plan, ...(tariff === undefined ? {} : { tariff }), createdAt, updatedAt }
}
