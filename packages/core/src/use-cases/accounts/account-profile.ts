import type { Account } from '../../account/account'
import type { Plan } from '../../catalog/plans'

/** What an account shows of itself: no hash, no customer. */
export interface AccountProfile {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly plan: Plan
  readonly createdAt: number
  readonly updatedAt: number
}

export function profileOf({ id, email, name, plan, createdAt, updatedAt }: Account): AccountProfile {
  return { id, email, name, plan, createdAt, updatedAt }
}
