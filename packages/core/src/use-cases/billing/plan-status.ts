import type { PaymentMethod } from '../../account/account'
import { type AccountWithin, limitsOf } from '../../billing/plan'
import type { AccountTariff, Plan, PlanLimits } from '../../catalog/plans'
import { type Instant, monthBounds, monthOf } from '../../shared/time'

/** Plan, limits and pending plan of an account (specification, "Plan status"). */
export interface PlanStatus {
  readonly plan: Plan
  /** Set when the limits and charges of the account are not those of its plan. */
  readonly tariff?: AccountTariff | undefined
  readonly limits: PlanLimits
  readonly currentPeriodStart: Instant
  readonly currentPeriodEnd: Instant
  readonly pendingPlan: Plan | null
  readonly paymentMethod: PaymentMethod | null
}

export function planStatusOf(account: AccountWithin, at: Instant): PlanStatus {
  const { start, end } = monthBounds(monthOf(at))
  const { plan, tariff, pendingPlan, paymentMethod } = account
  return {
    plan,
    ...(tariff === undefined ? {} : { tariff }),
    limits: limitsOf(account),
    currentPeriodStart: start,
    currentPeriodEnd: end,
    pendingPlan,
    paymentMethod,
  }
}
