import { downgradePlan } from '../../billing/decide'
import type { Plan } from '../../catalog/plans'
import type { CallOptions, Context } from '../../context/context'
import { changeBilling } from './change-billing'
import type { PlanStatus } from './plan-status'

export interface DowngradeInput {
  readonly accountId: string
  readonly plan: Plan
}

/** Sets the plan that follows at the end of the period; the current one clears it. Throws INVALID_PLAN_CHANGE. */
export function downgrade(ctx: Context, input: DowngradeInput, call?: CallOptions): Promise<PlanStatus> {
  return changeBilling(ctx, input.accountId, (account, at) => downgradePlan(account, { plan: input.plan, at }), call)
}
