import { isDisabled } from '../../account/decide'
import { DEFAULT_PAGE_LIMIT } from '../../catalog/limits'
import { unavailableInsteadOf } from '../../commit/transact'
import type { Context } from '../../context/context'
import type { Page, PageRequest } from '../../shared/page'
import { type AccountProfile, profileOf } from './account-profile'

/** An account as whoever runs the installation sees it. */
export interface ListedAccount extends AccountProfile {
  readonly isDisabled: boolean
}

/** A page of all accounts, oldest first. */
export function listAccounts(ctx: Context, input: Partial<PageRequest> = {}): Promise<Page<ListedAccount>> {
  const { limit = DEFAULT_PAGE_LIMIT, offset = 0 } = input
  return unavailableInsteadOf(async () => {
    const { total, data } = await ctx.storage.accounts.list({ limit, offset })
    return { total, data: data.map((account) => ({ ...profileOf(account), isDisabled: isDisabled(account) })) }
  })
}
