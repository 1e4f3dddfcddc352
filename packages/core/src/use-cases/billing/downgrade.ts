import { downgradePlan } from '../../billing/decide'
import { PLANS, type Plan } from '../../catalog/plans'
import { ofAccount } from '../../commit/of-account'
import { change, unavailableInsteadOf } from '../../commit/transact'
import type { CallOptions, Context } from '../../context/context'
import { within } from '../../context/require'
import { requirePlan } from '../../context/require-plan'
import { type PlanStatus, planStatusOf } from './plan-status'
import { settleAccount } from './settle-account'

export interface DowngradeInput {
  readonly accountId: string
  readonly plan: Plan
}

/** Sets the plan that follows at the end of the period; the current one clears it. Throws INVALID_PLAN_CHANGE. */
export async function downgrade(
  ctx: Context,
  { accountId, plan }: DowngradeInput,
  call?: CallOptions,
): Promise<PlanStatus> {
  requirePlan(plan, PLANS)
  await unavailableInsteadOf(() => settleAccount(ctx, accountId))
  return change(ctx, ofAccount, accountId, (account, { at }) => downgradePlan(account, { plan, at }), {
    call,
    answer: (after, at) => planStatusOf(within(ctx, after), at),
  })
}
