import { decideDisableAccount as decideDisable, decideEnableAccount as decideEnable } from '../../account/decide'
import type { OnAccount } from '../../account/on-account'
import { ofAccount } from '../../commit/of-account'
import { change } from '../../commit/transact'
import type { Service } from '../../node/service'

export async function disableAccount(ctx: Service, input: OnAccount): Promise<void> {
  await change(ctx, ofAccount, input.accountId, decideDisable)
}

export async function enableAccount(ctx: Service, input: OnAccount): Promise<void> {
  await change(ctx, ofAccount, input.accountId, decideEnable)
}
