import type { Context } from '../../context/context'
import { endAccountPeriod } from '../../use-cases/billing/end-period'
import type { HandledJob } from './handled-job'

/** Applies a pending plan at the end of the period, also when the service was down then. */
export async function handleEndPeriod(ctx: Context, job: HandledJob): Promise<void> {
  await endAccountPeriod(ctx, String(job.payload.accountId))
}
