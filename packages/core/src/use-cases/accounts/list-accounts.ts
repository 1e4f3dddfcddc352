import { isDisabled } from '../../account/decide'
import { unavailableInsteadOf } from '../../commit/transact'
import type { Ports } from '../../ports/ports'
import { windowOf } from '../../reads/window'
import type { Page, PageRequest } from '../../shared/page'
import { type AccountProfile, profileOf } from './account-profile'

/** Account as the operator of the installation sees it. */
export interface ListedAccount extends AccountProfile {
  /** Whether the account is disabled: its sessions and keys are refused. */
  readonly isDisabled: boolean
}

export function listAccounts(ctx: Ports, input: Partial<PageRequest> = {}): Promise<Page<ListedAccount>> {
  return unavailableInsteadOf(async () => {
    const { total, data } = await ctx.storage.accounts.list(windowOf(input))
    return { total, data: data.map((account) => ({ ...profileOf(account), isDisabled: isDisabled(account) })) }
  })
}
