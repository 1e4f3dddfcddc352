import type { Account, PlanInterval } from '../account/account'
import { PLAN_LIMITS, type Plan, type PlanLimits } from '../catalog/plans'
import type { Instant } from '../shared/time'

/**
 * The account as it stands at an instant: a pending plan whose time has come counts from that time on, also before the
 * job that writes it down has run. The version stays that of the row, so a commit may still check it.
 */
export function accountAt(account: Account, at: Instant): Account {
  if (!isPeriodOver(account, at)) return account
  return { ...account, ...endedPeriod(account) }
}

/** Whether a pending plan's time has come. */
export const isPeriodOver = (account: Account, at: Instant): boolean =>
  account.pendingPlan !== null && account.pendingPlanAt !== null && account.pendingPlanAt <= at

/** The fields of an account whose pending plan takes its place, counted from the period's end however late it is. */
export function endedPeriod(account: Account): Pick<Account, 'plan' | 'planHistory' | 'pendingPlan' | 'pendingPlanAt'> {
  const { plan, planHistory, pendingPlan, pendingPlanAt } = account
  if (pendingPlan === null || pendingPlanAt === null) return { plan, planHistory, pendingPlan, pendingPlanAt }
  return {
    plan: pendingPlan,
    planHistory: [...planHistory, { plan: pendingPlan, from: pendingPlanAt }],
    pendingPlan: null,
    pendingPlanAt: null,
  }
}

/** The plan that an account was on at an instant; its first one before it existed. A pending plan counts where it is due. */
export function planAt(account: Account, at: Instant): Plan {
  const { plan, planHistory } = accountAt(account, at)
  return intervalAt(planHistory, at)?.plan ?? planHistory[0]?.plan ?? plan
}

function intervalAt(history: readonly PlanInterval[], at: Instant): PlanInterval | undefined {
  return history.findLast((interval) => interval.from <= at)
}

/** What the account may do; the answer of GET /v1/billing/plan. */
export const limitsOf = (account: Account): PlanLimits => PLAN_LIMITS[account.plan]
