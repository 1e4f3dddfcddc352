import type { Account } from '../../account/account'
import type { AccountTariff, Plan } from '../../catalog/plans'

/** Public profile of an account, without the password hash and the payment customer. */
export interface AccountProfile {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly plan: Plan
  /** Set when the limits and charges of the account are not those of its plan. */
  readonly tariff?: AccountTariff | undefined
  readonly createdAt: number
  readonly updatedAt: number
}

export function profileOf({ id, email, name, plan, tariff, createdAt, updatedAt }: Account): AccountProfile {
  return { id, email, name, plan, ...(tariff === undefined ? {} : { tariff }), createdAt, updatedAt }
}
