import { downgradePlan } from '../../billing/decide'
import { requirePlan } from '../../billing/require-plan'
import { PLANS, type Plan } from '../../catalog/plans'
import type { CallOptions } from '../../commit/call-options'
import { ofAccount } from '../../commit/of-account'
import { change, unavailableInsteadOf } from '../../commit/transact'
import type { Service } from '../../node/service'
import { within } from '../../reads/require'
import { type PlanStatus, planStatusOf } from './plan-status'
import { settleAccount } from './settle-account'

/** Downgrade to a lower plan, at the end of the month. */
export interface DowngradeInput {
  /** Account that changes its plan. */
  readonly accountId: string
  /** Plan after the month; the current plan cancels a requested downgrade. */
  readonly plan: Plan
}

export async function downgrade(
  ctx: Service,
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
