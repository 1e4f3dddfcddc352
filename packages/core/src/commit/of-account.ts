import type { Account } from '../account/account'
import { accountRow } from '../reads/require'
import type { Aggregate } from './aggregate'
import { type AccountChange, writeAccount } from './rows/account'

/** An account, addressed by its id and read as stored. A pending plan that is due is applied by a separate event. */
export const ofAccount: Aggregate<Account, AccountChange, string> = {
  turn: (accountId) => accountId,
  read: (ctx, accountId) => accountRow(ctx, accountId),
  write: writeAccount,
}
