import { type Usage, usageOf } from '../../billing/usage'
import { unavailableInsteadOf } from '../../commit/transact'
import { validationFailed } from '../../errors/service-error'
import type { Ports } from '../../ports/ports'
import { accountOf } from '../../reads/require'
import { MONTH_PATTERN, type Month, monthBounds, monthOf } from '../../shared/time'

/** Month and account of a cost report. */
export interface GetUsageInput {
  /** Account of the report. */
  readonly accountId: string
  /** Month as `YYYY-MM`. Default: the current month, with running servers metered until now. */
  readonly month?: Month | undefined
}

export function getUsage(ctx: Ports, input: GetUsageInput): Promise<Usage> {
  return unavailableInsteadOf(async () => {
    const now = ctx.clock.now()
    const month = input.month ?? monthOf(now)
    if (!MONTH_PATTERN.test(month)) throw validationFailed([{ path: 'month', message: 'must be YYYY-MM' }])
    const { start, end } = monthBounds(month)
    const [{ sums, servers }, projects, account] = await Promise.all([
      ctx.storage.servers.metered(input.accountId, start, end),
      ctx.storage.projects.listAll(input.accountId),
      accountOf(ctx, input),
    ])
    const { planHistory } = account
    return usageOf({ month, now, planHistory, servers, sums, projects, prices: ctx.settings.prices })
  })
}
