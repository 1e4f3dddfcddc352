import type { Account } from '../../account/account'
import type { BillingEvent } from '../../billing/events'
import { evolveBilling } from '../../billing/evolve'
import type { Plan } from '../../commit/draft'
import { jobs } from '../../commit/jobs'

/** Applies billing events to an account in a commit: the row, the job of the period's end, what is told. Answers the next state. */
export function planBilling(plan: Plan, account: Account, events: readonly BillingEvent[]): Account {
  if (events.length === 0) return account
  const after = plan.update('account', account, { ...events.reduce(evolveBilling, account), updatedAt: plan.at })
  if (after.pendingPlanAt !== null) plan.job(jobs.endPeriod(account.id, after.pendingPlanAt))
  if (after.plan !== account.plan) {
    plan.tell({ type: 'plan_changed', accountId: account.id, plan: after.plan }, NO_PROJECT)
  }
  return after
}

/** An account is above its projects. */
const NO_PROJECT = ''
