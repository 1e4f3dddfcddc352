import type { OnAccount } from '../../account/on-account'
import { unavailableInsteadOf } from '../../commit/transact'
import type { Ports } from '../../ports/ports'
import { accountOf } from '../../reads/require'
import { type AccountProfile, profileOf } from './account-profile'

export function getAccount(ctx: Ports, input: OnAccount): Promise<AccountProfile> {
  return unavailableInsteadOf(async () => profileOf(await accountOf(ctx, input)))
}
