import { generateSync, generateURI } from 'otplib/functional'
import {
  CODE_STEP_SECONDS,
  type FactorCode,
  isAuthenticatorCode,
  isRecoveryCode,
  plainCode,
} from '../account/second-factor'
import type { Tokens } from '../ports/tokens'
import { type Instant, SECOND_MS } from '../shared/time'

const PURPOSE = 'second-factor'
/** Characters of a secret in base32. 32 characters have 160 bits, the length of the hash of TOTP (RFC 4226). */
const SECRET_LENGTH = 32
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** Name under which an authenticator lists the account. */
const ISSUER = 'Matchyard'
const STEP_MS = CODE_STEP_SECONDS * SECOND_MS

/** Returns a new secret in base32. `int(n)` must return a uniform and unpredictable integer from 0 to n-1. */
export const drawFactorSecret = (int: (below: number) => number): string =>
  Array.from({ length: SECRET_LENGTH }, () => BASE32[int(BASE32.length)]).join('')

/** Returns the address that an authenticator reads from a QR code. */
export const factorUri = (email: string, secret: string): string =>
  generateURI({ issuer: ISSUER, label: email, secret })

/** Returns the encrypted secret of an account's second factor. The key is derived for the account, from the installation's secret. */
export const sealFactor = (tokens: Tokens, accountId: string, secret: string): string =>
  tokens.seal(tokens.derive(PURPOSE, accountId), secret, accountId)

/** Returns the secret of a second factor; undefined when no accepted secret of the installation opens it. */
export function openFactor(tokens: Tokens, accountId: string, sealed: string): string | undefined {
  for (const key of tokens.deriveEach(PURPOSE, accountId)) {
    const secret = tokens.unseal(key, sealed, accountId)
    if (secret !== undefined) return secret
  }
  return undefined
}

/** Whether the secret of the installation that is in force opens a second factor. */
export const factorOpensNow = (tokens: Tokens, accountId: string, sealed: string): boolean =>
  tokens.unseal(tokens.derive(PURPOSE, accountId), sealed, accountId) !== undefined

/**
 * Returns the meaning of a code that a person typed. A code of an authenticator is compared with the present time step, the step before and
 * the step after it. Recovery codes are hashed only; the account decides whether the hash is one of its own.
 */
export function codeOf(tokens: Tokens, secret: string | undefined, code: string, at: Instant): FactorCode {
  const plain = plainCode(code)
  if (isRecoveryCode(plain)) return { kind: 'recovery', hash: tokens.hash(plain) }
  if (secret === undefined || !isAuthenticatorCode(plain)) return { kind: 'wrong' }
  const now = Math.floor(at / STEP_MS)
  const step = [now + 1, now, now - 1].find((one) => generateSync({ secret, epoch: one * CODE_STEP_SECONDS }) === plain)
  return step === undefined ? { kind: 'wrong' } : { kind: 'step', stepAt: step * STEP_MS }
}
