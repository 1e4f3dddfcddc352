import type { Instant } from '../shared/time'
import type { Account } from './account'
import { sessionEpochOf } from './decide'
import type { AccountEvent } from './events'
import { MAX_WRONG_CODES, type SecondFactor, WRONG_CODES_MS, type WrongCodes } from './second-factor'

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
    case 'factor_begun':
      return { ...account, pendingFactor: event.pending }
    case 'factor_activated':
      return { ...account, secondFactor: event.factor, pendingFactor: null, wrongCodes: null }
    case 'factor_removed':
      return { ...account, secondFactor: null, pendingFactor: null, wrongCodes: null }
    case 'factor_sealed_anew':
      return withFactor(account, { sealed: event.sealed })
    case 'code_used':
      return { ...withFactor(account, { usedStepAt: event.stepAt }), wrongCodes: null }
    case 'recovery_code_used': {
      const left = account.secondFactor?.recoveryHashes.filter((hash) => hash !== event.hash) ?? []
      return { ...withFactor(account, { recoveryHashes: left }), wrongCodes: null }
    }
    case 'code_wrong':
      return { ...account, wrongCodes: oneMore(account.wrongCodes ?? null, event.at) }
  }
}

const withFactor = (account: Account, changes: Partial<SecondFactor>): Account =>
  account.secondFactor ? { ...account, secondFactor: { ...account.secondFactor, ...changes } } : account

/** Counts a wrong code. Wrong codes that are older than the period of counting are forgotten. */
function oneMore(before: WrongCodes | null, at: Instant): WrongCodes {
  const isOver =
    before === null || at >= (before.count >= MAX_WRONG_CODES ? before.lastAt : before.since) + WRONG_CODES_MS
  return isOver ? { count: 1, since: at, lastAt: at } : { ...before, count: before.count + 1, lastAt: at }
}

const sessionsEnded = (account: Account, at: Instant) => ({
  sessionEpoch: sessionEpochOf(account) + 1,
  sessionsEndedAt: at,
})
