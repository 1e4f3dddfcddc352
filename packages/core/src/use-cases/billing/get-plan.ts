import { unavailableInsteadOf } from '../../commit/transact'
import type { Ports } from '../../ports/ports'
import { accountOf } from '../../reads/require'
import { type PlanStatus, planStatusOf } from './plan-status'

export function getPlan(ctx: Ports, input: { readonly accountId: string }): Promise<PlanStatus> {
  return unavailableInsteadOf(async () => planStatusOf(await accountOf(ctx, input), ctx.clock.now()))
}
