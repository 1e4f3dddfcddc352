import type { Account } from '../account/account'
import type { AccountTariff, Plan } from '../catalog/plans'
import type { Instant } from '../shared/time'
import type { BillingEvent } from './events'

/** Returns the account after a billing event. Accepts every event, because deciders have checked it before. */
export function evolveBilling(account: Account, event: BillingEvent): Account {
  switch (event.type) {
    case 'card_attached':
      return { ...account, customerId: event.customerId, paymentMethod: event.paymentMethod }
    case 'plan_upgraded':
      return onPlan(account, event.plan, event.at)
    case 'plan_set':
      return onPlan(account, event.plan, event.at, event.tariff)
    case 'downgrade_scheduled':
      return { ...account, pendingPlan: event.plan, pendingPlanAt: event.at }
    case 'downgrade_cleared':
      return { ...account, pendingPlan: null, pendingPlanAt: null }
    case 'period_ended':
      // The plan applies from the end of the period, even when the job runs late. Usage thus does not depend on when the service was
      // running.
      return account.pendingPlan === null || account.pendingPlanAt === null
        ? account
        : onPlan(account, account.pendingPlan, account.pendingPlanAt)
  }
}

function onPlan({ tariff: _, ...account }: Account, plan: Plan, from: Instant, tariff?: AccountTariff): Account {
  const on = { plan, ...(tariff === undefined ? {} : { tariff }) }
  return {
    ...account,
    ...on,
    planHistory: [...account.planHistory, { ...on, from }],
    pendingPlan: null,
    pendingPlanAt: null,
  }
}
