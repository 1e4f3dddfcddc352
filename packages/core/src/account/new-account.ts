import type { AccountTariff, Plan } from '../catalog/plans'
import type { Instant } from '../shared/time'
import type { Account } from './account'

export interface AccountDesign {
  readonly id: string
  /** E-mail address in lower case. */
  readonly email: string
  readonly name: string
  /** Hash of the password. Empty when no password can log in to the account. */
  readonly passwordHash: string
  readonly plan: Plan
  readonly tariff?: AccountTariff | undefined
  /** Whether the account belongs to an operator of the installation. Default: no. */
  readonly operator?: boolean | undefined
  /** Whether the account cannot own projects. Default: no. */
  readonly guest?: boolean | undefined
}

/** Returns a new account whose plan begins now, without a payment card and without a pending plan. */
export function newAccount(
  { tariff, operator = false, guest = false, ...design }: AccountDesign,
  at: Instant,
): Account {
  const on = { plan: design.plan, ...(tariff === undefined ? {} : { tariff }) }
  return {
    ...design,
    ...on,
    ...(operator ? { operator } : {}),
    ...(guest ? { guest } : {}),
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
