import { unavailableInsteadOf } from '../../commit/transact'
import type { Context } from '../../context/context'
import { accountOf } from '../../context/require'
import { type AccountProfile, profileOf } from './account-profile'

/** The caller's own account. */
export function getAccount(ctx: Context, input: { readonly accountId: string }): Promise<AccountProfile> {
  return unavailableInsteadOf(async () => profileOf(await accountOf(ctx, input)))
}
