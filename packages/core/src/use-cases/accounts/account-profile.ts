import { type Account, isOperator } from '../../account/account'
import type { AccountTariff, Plan } from '../../catalog/plans'

/** Public profile of an account, without the password hash and the payment customer. */
export interface AccountProfile {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly plan: Plan
  /** Set when the limits and charges of the account are not those of its plan. */
  readonly tariff?: AccountTariff | undefined
  /** Whether the account belongs to an operator of the installation; absent: no. */
  readonly operator?: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

export function profileOf(account: Account): AccountProfile {
  const { id, email, name, plan, tariff, createdAt, updatedAt } = account
  const more = { ...(tariff === undefined ? {} : { tariff }), ...(isOperator(account) ? { operator: true } : {}) }
  return { id, email, name, plan, ...more, createdAt, updatedAt }
}
