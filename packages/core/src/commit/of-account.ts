import type { Account } from '../account/account'
import { accountRow } from '../reads/require'
import type { Aggregate } from './aggregate'
import { type AccountChange, writeAccount } from './rows/account'

/** Reads and changes an account by its id, as it is stored. A separate event applies a pending plan that is due. */
export const ofAccount: Aggregate<Account, AccountChange, string> = {
  turn: (accountId) => accountId,
  read: (ctx, accountId) => accountRow(ctx, accountId),
  write: writeAccount,
}
