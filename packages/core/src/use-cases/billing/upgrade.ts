import type { Account } from '../../account/account'
import { type CardOnFile, checkUpgrade, upgradePlan } from '../../billing/decide'
import { requirePlan } from '../../billing/require-plan'
import { PLANS, type Plan } from '../../catalog/plans'
import type { CallOptions } from '../../commit/call-options'
import type { Draft } from '../../commit/draft'
import { ofAccount } from '../../commit/of-account'
import { change, unavailableInsteadOf } from '../../commit/transact'
import type { Service } from '../../node/service'
import { within } from '../../reads/require'
import { attachCard } from './attach-card'
import { type PlanStatus, planStatusOf } from './plan-status'
import { settleAccount } from './settle-account'

/** Upgrade to a higher plan, with immediate effect. */
export interface UpgradeInput {
  /** Account that changes its plan. */
  readonly accountId: string
  /** New plan, higher than the current one. */
  readonly plan: Plan
  /** Token of the payment processor; required when the account has no payment card. */
  readonly paymentMethodToken?: string | undefined
}

export async function upgrade(ctx: Service, input: UpgradeInput, call?: CallOptions): Promise<PlanStatus> {
  requirePlan(input.plan, PLANS)
  // The processor is called once, even when the commit is retried.
  let card: CardOnFile | undefined
  const decide = async (account: Account, { at }: Draft) => {
    const above = checkUpgrade(account, input.plan)
    if (!above.ok) return above
    if (input.paymentMethodToken !== undefined) card ??= await attachCard(ctx, account, input.paymentMethodToken)
    return upgradePlan(account, { plan: input.plan, card, at })
  }
  await unavailableInsteadOf(() => settleAccount(ctx, input.accountId))
  return change(ctx, ofAccount, input.accountId, decide, {
    call,
    answer: (after, at) => planStatusOf(within(ctx, after), at),
  })
}
