import type { Account } from '../../account/account'
import type { BillingEvent } from '../../billing/events'
import { isPeriodOver } from '../../billing/plan'
import { Plan } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { CallOptions, Context } from '../../context/context'
import { orThrow } from '../../errors/service-error'
import type { Decision } from '../../shared/decision'
import { endAccountPeriod } from './end-period'
import { planBilling } from './plan-billing'
import { type PlanStatus, planStatusOf } from './plan-status'

/** The way of every plan change that a caller asks for: a period that is over is ended first, then read, decide, commit. */
export async function changeBilling(
  ctx: Context,
  accountId: string,
  decide: (account: Account, at: number) => Decision<BillingEvent> | Promise<Decision<BillingEvent>>,
  call?: CallOptions,
): Promise<PlanStatus> {
  return transact(ctx, call, async () => {
    const account = await settledAccount(ctx, accountId)
    const plan = new Plan(ctx.clock.now())
    const events = orThrow(await decide(account, plan.at))
    return { plan, answer: planStatusOf(planBilling(plan, account, events), plan.at) }
  })
}

async function settledAccount(ctx: Context, accountId: string): Promise<Account> {
  const account = await readAccount(ctx, accountId)
  if (!isPeriodOver(account, ctx.clock.now())) return account
  await endAccountPeriod(ctx, accountId)
  return readAccount(ctx, accountId)
}

async function readAccount(ctx: Context, accountId: string): Promise<Account> {
  const account = await ctx.storage.get('account', accountId)
  if (account === undefined) throw new Error(`account ${accountId} is missing`)
  return account
}
