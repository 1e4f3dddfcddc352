import type { Account } from './account'
import type { AccountEvent } from './events'

/** The next state of an account itself: total and without judgement. */
export function evolveAccount(account: Account, event: AccountEvent): Account {
  switch (event.type) {
    case 'password_set':
      return { ...account, passwordHash: event.passwordHash, sessionsEndedAt: event.at }
    case 'account_disabled':
      return { ...account, disabledAt: event.at, sessionsEndedAt: event.at }
    case 'account_enabled':
      return { ...account, disabledAt: null }
  }
}
