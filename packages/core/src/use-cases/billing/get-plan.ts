import { requireAccount } from '../accounts/account-profile'
import type { Context } from '../context'
import { unavailableInsteadOf } from '../transact'
import { type PlanStatus, planStatusOf } from './plan-status'

/** What the account is on and what that allows. */
export function getPlan(ctx: Context, input: { readonly accountId: string }): Promise<PlanStatus> {
  return unavailableInsteadOf(async () => planStatusOf(await requireAccount(ctx, input.accountId), ctx.clock.now()))
}
