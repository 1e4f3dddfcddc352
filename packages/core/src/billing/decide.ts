import type { Account } from '../account/account'
import { limitsOfPlan, OPERATOR_PLAN, type Plan, type PlanChoice, planRank, SELF_HOSTED } from '../catalog/plans'
import { accept, type Decision, reject } from '../errors/decision'
import { spokenField } from '../errors/spoken-names'
import { type Instant, monthBounds, monthOf } from '../shared/time'
import type { BillingEvent } from './events'
import { isPeriodOver } from './plan'

export type CardOnFile = Omit<Extract<BillingEvent, { type: 'card_attached' }>, 'type'>

/**
 * Decides whether the plan is above the current plan. Called before a payment card is stored for the plan. Rejects with
 * INVALID_PLAN_CHANGE.
 */
export function checkUpgrade(account: Account, plan: Plan): Decision<BillingEvent> {
  if (planRank(plan) > planRank(account.plan)) return accept()
  if (account.tariff !== undefined) return operatorsToSet(account, plan)
  const mend =
    plan === account.plan && account.pendingPlan !== null
      ? `a change to ${account.pendingPlan} is pending; to cancel it, request a downgrade to ${plan}`
      : 'use a downgrade to change to a lower plan'
  return invalidChange(
    account,
    plan,
    `an upgrade needs a plan above ${account.plan}, and ${plan} is not above it; ${mend}`,
  )
}

/**
 * Upgrades the plan at once, with the payment card of this call or the stored card. A pending downgrade is cancelled (docs/http-api.md §3).
 */
export function upgradePlan(
  account: Account,
  command: { plan: Plan; card: CardOnFile | undefined; at: Instant },
): Decision<BillingEvent> {
  const above = checkUpgrade(account, command.plan)
  if (!above.ok) return above
  const attached: BillingEvent[] = command.card === undefined ? [] : [{ type: 'card_attached', ...command.card }]
  const hasCard = attached.length > 0 || account.paymentMethod !== null
  if (limitsOfPlan(command.plan).paymentMethodRequired && !hasCard) {
    return reject(
      'PAYMENT_METHOD_REQUIRED',
      `the ${command.plan} plan requires a payment card; send its ${spokenField('paymentMethodToken')}`,
    )
  }
  return accept<BillingEvent>(...attached, { type: 'plan_upgraded', plan: command.plan, at: command.at })
}

/** Schedules a lower plan for the end of the period. A downgrade to the current plan cancels a pending downgrade (docs/http-api.md §3). */
export function downgradePlan(account: Account, command: { plan: Plan; at: Instant }): Decision<BillingEvent> {
  const { plan, at } = command
  if (planRank(plan) > planRank(account.plan)) {
    return invalidChange(account, plan, `${plan} is above ${account.plan}; use an upgrade to change to a higher plan`)
  }
  if (account.tariff !== undefined && plan !== account.plan) return operatorsToSet(account, plan)
  if (plan === account.plan) return account.pendingPlan === null ? accept() : accept({ type: 'downgrade_cleared' })
  if (account.pendingPlan === plan) return accept()
  return accept({ type: 'downgrade_scheduled', plan, at: monthBounds(monthOf(at)).end })
}

/** Stores a payment card; it replaces an earlier card. */
export const replaceCard = (card: CardOnFile): Decision<BillingEvent> => accept({ type: 'card_attached', ...card })

/**
 * Sets the plan or tariff for an operator, at once and without a payment card. A pending plan is cancelled. A repeated call changes
 * nothing.
 */
export function decideSetPlan(account: Account, command: { choice: PlanChoice; at: Instant }): Decision<BillingEvent> {
  const { choice, at } = command
  const [plan, tariff] = choice === SELF_HOSTED ? [OPERATOR_PLAN, choice] : [choice, undefined]
  if (plan === account.plan && tariff === account.tariff && account.pendingPlan === null) return accept()
  return accept({ type: 'plan_set', plan, tariff, at })
}

/**
 * Returns the event that applies a pending plan when its time has come. Before that, returns no event, so a repeated call changes nothing.
 */
export function endPeriod(account: Account, at: Instant): BillingEvent[] {
  return isPeriodOver(account, at) ? [{ type: 'period_ended' }] : []
}

const operatorsToSet = (account: Account, plan: Plan) =>
  invalidChange(account, plan, 'only the operator of this installation can change the plan of this account')

const invalidChange = (account: Account, plan: Plan, detail: string) =>
  reject('INVALID_PLAN_CHANGE', detail, { plan: account.plan, requested: plan })
