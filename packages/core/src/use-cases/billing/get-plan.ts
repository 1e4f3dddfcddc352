import type { OnAccount } from '../../account/on-account'
import { unavailableInsteadOf } from '../../commit/transact'
import type { Ports } from '../../ports/ports'
import { accountOf } from '../../reads/require'
import { type PlanStatus, planStatusOf } from './plan-status'

export function getPlan(ctx: Ports, input: OnAccount): Promise<PlanStatus> {
  return unavailableInsteadOf(async () => planStatusOf(await accountOf(ctx, input), ctx.clock.now()))
}
