import { decideSetPlan } from '../../billing/decide'
import { requirePlan } from '../../billing/require-plan'
import { PLAN_CHOICES, type PlanChoice } from '../../catalog/plans'
import { ofAccount } from '../../commit/of-account'
import { change } from '../../commit/transact'
import type { Service } from '../../node/service'
import { within } from '../../reads/require'
import { type PlanStatus, planStatusOf } from './plan-status'

export interface SetPlanInput {
  readonly accountId: string
  /** Plan, or `self_hosted` for the operator's own limits and no charges. */
  readonly plan: PlanChoice
}

/**
 * Sets the plan of an account at an operator's request: at once, without a card. A pending change of the plan is cleared. Existing servers
 * continue, but at most for the new plan's limit from now. A job of the service caps them, because only the service knows the operator's
 * limits. Throws VALIDATION_FAILED.
 */
export async function setPlan(ctx: Service, { accountId, plan }: SetPlanInput): Promise<PlanStatus> {
  requirePlan(plan, PLAN_CHOICES)
  const after = await change(ctx, ofAccount, accountId, (account, { at }) =>
    decideSetPlan(account, { choice: plan, at }),
  )
  return planStatusOf(within(ctx, after), ctx.clock.now())
}
