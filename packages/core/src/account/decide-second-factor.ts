import { accept, type Decision, reject } from '../errors/decision'
import type { Instant } from '../shared/time'
import { SECOND_MS } from '../shared/time'
import type { Account } from './account'
import type { AccountEvent } from './events'
import { type FactorCode, MAX_WRONG_CODES, PENDING_FACTOR_MS, WRONG_CODES_MS } from './second-factor'

/** Whether a login to the account needs a code besides the password. */
export const hasSecondFactor = ({ secondFactor = null }: Account): boolean => secondFactor !== null

const wrongState = (detail: string) => reject('SECOND_FACTOR_STATE', detail)

const refused = (detail: string) => reject('SECOND_FACTOR_REFUSED', detail)

/** Refuses a login with the right password and without a code. */
export const codeNeeded = () =>
  reject('SECOND_FACTOR_REQUIRED', 'the password is right; send a code of the second factor too')

/** Refuses a wrong password or code at a change of the second factor. */
export const wrongProof = (proof: 'password' | 'code') =>
  refused(proof === 'password' ? 'the password is wrong' : 'the code is wrong, was used, or has expired')

/** Begins a second factor. Rejects with SECOND_FACTOR_STATE when one is active, so that nobody replaces it without a code. */
export function decideBeginFactor(
  account: Account,
  { sealed, at }: { readonly sealed: string; readonly at: Instant },
): Decision<AccountEvent> {
  if (hasSecondFactor(account)) return wrongState('the account has a second factor; remove it before you begin another')
  return accept({ type: 'factor_begun', pending: { sealed, expiresAt: at + PENDING_FACTOR_MS } })
}

/** Activates a begun second factor. Rejects with SECOND_FACTOR_STATE, SECOND_FACTOR_REFUSED. */
export function decideActivateFactor(
  account: Account,
  {
    code,
    recoveryHashes,
    at,
  }: { readonly code: FactorCode; readonly recoveryHashes: readonly string[]; readonly at: Instant },
): Decision<AccountEvent> {
  const { pendingFactor = null } = account
  if (hasSecondFactor(account)) return wrongState('the second factor of the account is active already')
  if (pendingFactor === null || pendingFactor.expiresAt <= at)
    return wrongState('no second factor was begun in the last hour; begin one first')
  if (code.kind !== 'step') return wrongProof('code')
  const factor = { sealed: pendingFactor.sealed, activatedAt: at, usedStepAt: code.stepAt, recoveryHashes }
  return accept({ type: 'factor_activated', factor })
}

/**
 * Uses a code. A code of an authenticator works once, and so does a recovery code; a wrong code is counted. Rejects with RATE_LIMITED while
 * the account accepts no codes, with SECOND_FACTOR_STATE without a second factor.
 */
export function decideUseCode(
  { secondFactor = null, wrongCodes = null }: Account,
  { code, at }: { readonly code: FactorCode; readonly at: Instant },
): Decision<AccountEvent> {
  if (secondFactor === null) return wrongState('the account has no second factor')
  if (wrongCodes !== null && wrongCodes.count >= MAX_WRONG_CODES && at < wrongCodes.lastAt + WRONG_CODES_MS)
    return tooManyWrong(Math.ceil((wrongCodes.lastAt + WRONG_CODES_MS - at) / SECOND_MS))
  if (code.kind === 'step' && code.stepAt > secondFactor.usedStepAt)
    return accept({ type: 'code_used', stepAt: code.stepAt })
  if (code.kind === 'recovery' && secondFactor.recoveryHashes.includes(code.hash))
    return accept({ type: 'recovery_code_used', hash: code.hash })
  return accept({ type: 'code_wrong', at })
}

function tooManyWrong(seconds: number): Decision<never> {
  const detail = `${MAX_WRONG_CODES} wrong codes were entered for this account; try again in ${seconds} s, with a correct code`
  const { ok, rejected } = reject('RATE_LIMITED', detail, { policy: 'second-factor', retryAfterSeconds: seconds })
  return { ok, rejected: { ...rejected, retryAfterSeconds: seconds } }
}
