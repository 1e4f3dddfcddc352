import type { Account } from '../account/account'
import { accountRow } from '../reads/require'
import type { Aggregate } from './aggregate'
import { type AccountChange, writeAccount } from './rows/account'

/** Functions that read and change an account by its id, as it is stored. A pending plan that is due is applied by an event of its own. */
export const ofAccount: Aggregate<Account, AccountChange, string> = {
  turn: (accountId) => accountId,
  read: (ctx, accountId) => accountRow(ctx, accountId),
  write: writeAccount,
}
