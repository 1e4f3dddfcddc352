import { type Account, isOperator } from '../../account/account'
import type { AccountTariff, Plan } from '../../catalog/plans'

/** Public profile of an account, without the password hash and the payment customer. */
export interface AccountProfile {
  /** Id of the account: `acc_` and a ULID. */
  readonly id: string
  /** E-mail address with which the developer logs in, in lower case. */
  readonly email: string
  /** Display name. */
  readonly name: string
  /** Current plan. */
  readonly plan: Plan
  /** Set when the limits and charges of the account are not those of its plan. */
  readonly tariff?: AccountTariff | undefined
  /** Whether the account belongs to an operator of the installation; absent: no. */
  readonly operator?: boolean
  /** Time of creation. */
  readonly createdAt: number
  /** Time of the last change. */
  readonly updatedAt: number
}

export function profileOf(account: Account): AccountProfile {
  const { id, email, name, plan, tariff, createdAt, updatedAt } = account
  const more = { ...(tariff === undefined ? {} : { tariff }), ...(isOperator(account) ? { operator: true } : {}) }
  return { id, email, name, plan, ...more, createdAt, updatedAt }
}
