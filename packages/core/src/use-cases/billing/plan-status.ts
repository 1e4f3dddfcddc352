import type { Account, PaymentMethod } from '../../account/account'
import { limitsOf } from '../../billing/plan'
import type { Plan, PlanLimits } from '../../catalog/plans'
import { type Instant, monthBounds, monthOf } from '../../shared/time'

/** What an account is on, may do and will be on (specification, "Plan status"). */
export interface PlanStatus {
  readonly plan: Plan
  readonly limits: PlanLimits
  readonly currentPeriodStart: Instant
  readonly currentPeriodEnd: Instant
  readonly pendingPlan: Plan | null
  readonly paymentMethod: PaymentMethod | null
}

export function planStatusOf(account: Account, at: Instant): PlanStatus {
  const { start, end } = monthBounds(monthOf(at))
  const { plan, pendingPlan, paymentMethod } = account
  return {
    plan,
    limits: limitsOf(account),
    currentPeriodStart: start,
    currentPeriodEnd: end,
    pendingPlan,
    paymentMethod,
  }
}
