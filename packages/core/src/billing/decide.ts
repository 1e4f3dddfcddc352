import type { Account } from '../account/account'
import { limitsOfPlan, type Plan, planRank } from '../catalog/plans'
import { accept, type Decision, reject } from '../errors/decision'
import { type Instant, monthBounds, monthOf } from '../shared/time'
import type { BillingEvent } from './events'
import { isPeriodOver } from './plan'

export type CardOnFile = Omit<Extract<BillingEvent, { type: 'card_attached' }>, 'type'>

/** Whether a plan lies above the current one; asked before a card is put on file for it. */
export function checkUpgrade(account: Account, plan: Plan): Decision<BillingEvent> {
  if (planRank(plan) > planRank(account.plan)) return accept()
  const mend =
    plan === account.plan && account.pendingPlan !== null
      ? 'to stay on it after the period, downgrade to it'
      : 'a lower plan is reached by a downgrade'
  return invalidChange(account, plan, `an upgrade goes from ${account.plan} to a higher plan, not to ${plan}; ${mend}`)
}

/** At once, with the card just attached or the one on file; what was pending is cleared (docs/http-api.md §3). */
export function upgradePlan(
  account: Account,
  command: { plan: Plan; card: CardOnFile | undefined; at: Instant },
): Decision<BillingEvent> {
  const above = checkUpgrade(account, command.plan)
  if (!above.ok) return above
  const attached: BillingEvent[] = command.card === undefined ? [] : [{ type: 'card_attached', ...command.card }]
  const hasCard = attached.length > 0 || account.paymentMethod !== null
  if (limitsOfPlan(command.plan).paymentMethodRequired && !hasCard) {
    return reject('PAYMENT_METHOD_REQUIRED', `the ${command.plan} plan needs a card; send payment_method_token`)
  }
  return accept<BillingEvent>(...attached, { type: 'plan_upgraded', plan: command.plan, at: command.at })
}

/** A lower plan takes its place at the end of the period; the current one clears what was pending (docs/http-api.md §3). */
export function downgradePlan(account: Account, command: { plan: Plan; at: Instant }): Decision<BillingEvent> {
  const { plan, at } = command
  if (planRank(plan) > planRank(account.plan)) {
    return invalidChange(account, plan, `${plan} is above ${account.plan}; a higher plan is reached by an upgrade`)
  }
  if (plan === account.plan) return account.pendingPlan === null ? accept() : accept({ type: 'downgrade_cleared' })
  if (account.pendingPlan === plan) return accept()
  return accept({ type: 'downgrade_scheduled', plan, at: monthBounds(monthOf(at)).end })
}

/** A pending plan whose time has come; nothing otherwise, so that asking twice changes nothing. */
export function endPeriod(account: Account, at: Instant): BillingEvent[] {
  return isPeriodOver(account, at) ? [{ type: 'period_ended' }] : []
}

const invalidChange = (account: Account, plan: Plan, detail: string) =>
  reject('INVALID_PLAN_CHANGE', detail, { plan: account.plan, requested: plan })
