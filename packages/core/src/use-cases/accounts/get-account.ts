import { unavailableInsteadOf } from '../../commit/transact'
import type { Service } from '../../node/service'
import { accountOf } from '../../reads/require'
import { type AccountProfile, profileOf } from './account-profile'

/** The caller's own account. */
export function getAccount(ctx: Service, input: { readonly accountId: string }): Promise<AccountProfile> {
  return unavailableInsteadOf(async () => profileOf(await accountOf(ctx, input)))
}
