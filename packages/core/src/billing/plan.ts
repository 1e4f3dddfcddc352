import type { Account } from '../account/account'
import { limitsOfPlan, type Plan, type PlanLimits, SELF_HOSTED_LIMITS, UNLIMITED } from '../catalog/plans'
import { type Instant, SECOND_MS } from '../shared/time'
import { evolveBilling } from './evolve'

/** Whether a pending plan's time has come. */
export const isPeriodOver = (account: Account, at: Instant): boolean =>
  account.pendingPlan !== null && account.pendingPlanAt !== null && account.pendingPlanAt <= at

/**
 * The account as it stands at an instant: a pending plan whose time has come counts from that time on, also before the
 * job that writes it down has run. The version stays that of the row, so a commit may still check it.
 */
export const accountAt = (account: Account, at: Instant): Account =>
  isPeriodOver(account, at) ? evolveBilling(account, { type: 'period_ended' }) : account

/** The plan that an account was on at an instant; its first one before it existed. A pending plan counts where it is due. */
export function planAt(account: Account, at: Instant): Plan {
  const { plan, planHistory } = accountAt(account, at)
  return (planHistory.findLast((interval) => interval.from <= at) ?? planHistory[0])?.plan ?? plan
}

/** An account, and with it what its operator lets it do: a setting of the installation, which its row does not hold. */
export interface AccountWithin extends Account {
  readonly operatorLimits?: PlanLimits
}

/** Returns the limits of an account: the answer of GET /v1/billing/plan. */
export const limitsOf = ({ plan, tariff, operatorLimits = SELF_HOSTED_LIMITS }: AccountWithin): PlanLimits =>
  tariff === undefined ? limitsOfPlan(plan) : operatorLimits

/**
 * When servers from before the current plan have to end: its ttl counted from the instant that it began (docs/http-api.md §3).
 * Undefined where its servers may live for ever.
 */
export function serverCapOf(
  account: AccountWithin,
): { readonly before: Instant; readonly expiresAt: Instant } | undefined {
  const { maxServerTtl } = limitsOf(account)
  const began = account.planHistory.at(-1)?.from
  if (maxServerTtl === UNLIMITED || began === undefined) return undefined
  return { before: began, expiresAt: began + maxServerTtl * SECOND_MS }
}
