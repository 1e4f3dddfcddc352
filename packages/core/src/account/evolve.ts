import type { Instant } from '../shared/time'
import type { Account } from './account'
import { sessionEpochOf } from './decide'
import type { AccountEvent } from './events'

/** Returns the account after an event. Accepts every event, because deciders have checked it before. */
export function evolveAccount(account: Account, event: AccountEvent): Account {
  switch (event.type) {
    case 'password_set':
      return { ...account, passwordHash: event.passwordHash, signInCode: null, ...sessionsEnded(account, event.at) }
    case 'account_disabled':
      return { ...account, disabledAt: event.at, signInCode: null, ...sessionsEnded(account, event.at) }
    case 'account_enabled':
      return { ...account, disabledAt: null }
    case 'sign_in_code_drawn':
      return { ...account, signInCode: { hash: event.hash, expiresAt: event.expiresAt } }
    case 'sign_in_code_used':
      return account.signInCode ? { ...account, signInCode: { ...account.signInCode, usedBy: event.by } } : account
  }
}

const sessionsEnded = (account: Account, at: Instant) => ({
  sessionEpoch: sessionEpochOf(account) + 1,
  sessionsEndedAt: at,
})
