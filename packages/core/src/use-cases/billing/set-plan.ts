import { decideSetPlan } from '../../billing/decide'
import { requirePlan } from '../../billing/require-plan'
import { PLAN_CHOICES, type PlanChoice } from '../../catalog/plans'
import type { CallOptions } from '../../commit/call-options'
import { ofAccount } from '../../commit/of-account'
import { change } from '../../commit/transact'
import type { Service } from '../../node/service'
import { within } from '../../reads/require'
import { type PlanStatus, planStatusOf } from './plan-status'

/** Plan or tariff that an operator gives to an account. */
export interface SetPlanInput {
  /** Account that gets the plan. */
  readonly accountId: string
  /** Plan, or `self_hosted`: the limits that the operator configured, and no charges. */
  readonly plan: PlanChoice
}

/**
 * Sets the plan of an account for an operator, at once and without a payment card. A pending change of the plan is cancelled. Existing
 * servers continue at most for the ttl limit of the new plan, from now on. A job of the service sets their ends, because only the service
 * knows the operator's limits. Throws VALIDATION_FAILED.
 */
export async function setPlan(
  ctx: Service,
  { accountId, plan }: SetPlanInput,
  call?: CallOptions,
): Promise<PlanStatus> {
  requirePlan(plan, PLAN_CHOICES)
  const after = await change(
    ctx,
    ofAccount,
    accountId,
    (account, { at }) => decideSetPlan(account, { choice: plan, at }),
    { call },
  )
  return planStatusOf(within(ctx, after), ctx.clock.now())
}
