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
  /** A plan, or `self_hosted` for the operator's own limits and no charges. */
  readonly plan: PlanChoice
}

/**
 * An operator's word on what an account is on: at once, without a card, and what was pending is cleared. Its servers go on, but no
 * longer than the new limits let one live, counted from now: a job of the service sees to that, since the operator's limits are those
 * of the service, and an operator's command need not know them. Throws VALIDATION_FAILED.
 */
export async function setPlan(ctx: Service, { accountId, plan }: SetPlanInput): Promise<PlanStatus> {
  requirePlan(plan, PLAN_CHOICES)
  const after = await change(ctx, ofAccount, accountId, (account, { at }) =>
    decideSetPlan(account, { choice: plan, at }),
  )
  return planStatusOf(within(ctx, after), ctx.clock.now())
}
