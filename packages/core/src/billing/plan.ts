import type { Account } from '../account/account'
import { limitsOfPlan, type Plan, type PlanLimits, SELF_HOSTED_LIMITS, UNLIMITED } from '../catalog/plans'
import { type Instant, SECOND_MS } from '../shared/time'
import { evolveBilling } from './evolve'

/** Whether the pending plan is due. */
export const isPeriodOver = (account: Account, at: Instant): boolean =>
  account.pendingPlan !== null && account.pendingPlanAt !== null && account.pendingPlanAt <= at

/**
 * Returns the account as it is at an instant. A pending plan counts from its due time on, even before a job has written it to the row. The
 * version stays that of the row, so that a commit can still check it.
 */
export const accountAt = (account: Account, at: Instant): Account =>
  isPeriodOver(account, at) ? evolveBilling(account, { type: 'period_ended' }) : account

/**
 * Returns the plan of an account at an instant. A pending plan counts from its due time on. Before the creation of the account, its first
 * plan counts.
 */
export function planAt(account: Account, at: Instant): Plan {
  const { plan, planHistory } = accountAt(account, at)
  return (planHistory.findLast((interval) => interval.from <= at) ?? planHistory[0])?.plan ?? plan
}

/**
 * Account with the limits that the operator sets. The limits are a setting of the installation, so the account's row does not contain them.
 */
export interface AccountWithin extends Account {
  readonly operatorLimits?: PlanLimits
}

/** Returns the limits of an account, as GET /v1/billing/plan returns them. */
export const limitsOf = ({ plan, tariff, operatorLimits = SELF_HOSTED_LIMITS }: AccountWithin): PlanLimits =>
  tariff === undefined ? limitsOfPlan(plan) : operatorLimits

/**
 * Returns the instant at which servers that are older than the current plan must end: the plan's maximum lifetime, counted from the start
 * of the plan (docs/http-api.md §3). Returns undefined when the plan has no maximum.
 */
export function serverCapOf(
  account: AccountWithin,
): { readonly before: Instant; readonly expiresAt: Instant } | undefined {
  const { maxServerTtl } = limitsOf(account)
  const began = account.planHistory.at(-1)?.from
  if (maxServerTtl === UNLIMITED || began === undefined) return undefined
  return { before: began, expiresAt: began + maxServerTtl * SECOND_MS }
}
