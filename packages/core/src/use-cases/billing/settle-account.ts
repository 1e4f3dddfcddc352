import { isPeriodOver } from '../../billing/plan'
import type { Service } from '../../node/service'
import { accountRow } from '../../reads/require'
import { endAccountPeriod } from './end-period'

/** Ends a period that is over, before a caller changes the plan. A pending plan thus takes effect from the end of that period. */
export async function settleAccount(ctx: Service, accountId: string): Promise<void> {
  if (isPeriodOver(await accountRow(ctx, accountId), ctx.clock.now())) await endAccountPeriod(ctx, accountId)
}
