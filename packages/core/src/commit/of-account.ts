import type { Account } from '../account/account'
import { accountRow } from '../reads/require'
import type { Aggregate } from './aggregate'
import { type AccountChange, writeAccount } from './rows/account'

/** An account by its id, as its row is: a due change of plan is an event of its own. */
export const ofAccount: Aggregate<Account, AccountChange, string> = {
  turn: (accountId) => accountId,
  read: (ctx, accountId) => accountRow(ctx, accountId),
  write: writeAccount,
}
