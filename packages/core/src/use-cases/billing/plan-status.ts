import type { PaymentMethod } from '../../account/account'
import { type AccountWithin, limitsOf } from '../../billing/plan'
import type { AccountTariff, Plan, PlanLimits } from '../../catalog/plans'
import { type Instant, monthBounds, monthOf } from '../../shared/time'

/** Plan, limits and pending plan of an account (specification, "Plan status"). */
export interface PlanStatus {
  /** Current plan. */
  readonly plan: Plan
  /** Set when the limits and charges of the account are not those of its plan. */
  readonly tariff?: AccountTariff | undefined
  /** Limits of the account over all its projects. */
  readonly limits: PlanLimits
  /** Start of the month, in UTC. */
  readonly currentPeriodStart: Instant
  /** End of the month, in UTC; a pending plan begins then. */
  readonly currentPeriodEnd: Instant
  /** Plan after this month; null when the plan stays. */
  readonly pendingPlan: Plan | null
  /** Stored payment card; null without one. */
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
