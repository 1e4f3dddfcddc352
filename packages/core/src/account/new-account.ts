import type { AccountTariff, Plan } from '../catalog/plans'
import type { Instant } from '../shared/time'
import type { Account } from './account'

export interface AccountDesign {
  readonly id: string
  /** Lower-cased. */
  readonly email: string
  readonly name: string
  /** Empty where no password is to fit. */
  readonly passwordHash: string
  readonly plan: Plan
  readonly tariff?: AccountTariff | undefined
}

/** An account as it begins: its plan from its first instant, no card, nothing pending. */
export function newAccount({ tariff, ...design }: AccountDesign, at: Instant): Account {
  const on = { plan: design.plan, ...(tariff === undefined ? {} : { tariff }) }
  return {
    ...design,
    ...on,
    version: 1,
    planHistory: [{ ...on, from: at }],
    pendingPlan: null,
    pendingPlanAt: null,
    customerId: null,
    paymentMethod: null,
    createdAt: at,
    updatedAt: at,
  }
}
