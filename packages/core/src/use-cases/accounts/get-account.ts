import type { Context } from '../context'
import { unavailableInsteadOf } from '../transact'
import { type AccountProfile, profileOf, requireAccount } from './account-profile'

/** The caller's own account. */
export function getAccount(ctx: Context, input: { readonly accountId: string }): Promise<AccountProfile> {
  return unavailableInsteadOf(async () => profileOf(await requireAccount(ctx, input.accountId)))
}
