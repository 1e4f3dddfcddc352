import type { Account } from '../../account/account'
import { accountAt } from '../../billing/plan'
import type { Plan } from '../../catalog/plans'
import type { Context } from '../context'

/** What an account shows of itself: no hash, no customer. */
export interface AccountProfile {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly plan: Plan
  readonly createdAt: number
  readonly updatedAt: number
}

export function profileOf({ id, email, name, plan, createdAt, updatedAt }: Account): AccountProfile {
  return { id, email, name, plan, createdAt, updatedAt }
}

/** The account of a caller as it stands now, a due plan change included; one that is missing is a bug. */
export async function requireAccount(ctx: Context, accountId: string): Promise<Account> {
  const account = await ctx.storage.get('account', accountId)
  if (account === undefined) throw new Error(`account ${accountId} is missing`)
  return accountAt(account, ctx.clock.now())
}
