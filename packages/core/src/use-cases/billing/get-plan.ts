import { unavailableInsteadOf } from '../../commit/transact'
import type { Context } from '../../context/context'
import { accountOf } from '../../context/require'
import { type PlanStatus, planStatusOf } from './plan-status'

/** What the account is on and what that allows. */
export function getPlan(ctx: Context, input: { readonly accountId: string }): Promise<PlanStatus> {
  return unavailableInsteadOf(async () => planStatusOf(await accountOf(ctx, input), ctx.clock.now()))
}
