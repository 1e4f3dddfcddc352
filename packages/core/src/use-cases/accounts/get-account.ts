import type { Context } from '../context'
import { accountOf } from '../require'
import { unavailableInsteadOf } from '../transact'
import { type AccountProfile, profileOf } from './account-profile'

/** The caller's own account. */
export function getAccount(ctx: Context, input: { readonly accountId: string }): Promise<AccountProfile> {
  return unavailableInsteadOf(async () => profileOf(await accountOf(ctx, input)))
}
