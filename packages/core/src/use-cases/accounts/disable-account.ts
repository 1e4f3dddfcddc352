import { decideDisableAccount as decideDisable, decideEnableAccount as decideEnable } from '../../account/decide'
import type { OnAccount } from '../../account/on-account'
import type { CallOptions } from '../../commit/call-options'
import { ofAccount } from '../../commit/of-account'
import { change } from '../../commit/transact'
import type { Service } from '../../node/service'

export async function disableAccount(ctx: Service, input: OnAccount, call?: CallOptions): Promise<void> {
  await change(ctx, ofAccount, input.accountId, decideDisable, { call })
}

export async function enableAccount(ctx: Service, input: OnAccount, call?: CallOptions): Promise<void> {
  await change(ctx, ofAccount, input.accountId, decideEnable, { call })
}
