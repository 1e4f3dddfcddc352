import type { Instant } from '../shared/time'

/** Seconds for which a code of an authenticator is valid; the service also accepts the codes before and after it. */
export const CODE_STEP_SECONDS = 30
/** Milliseconds within which a new second factor has to be activated: one hour. */
export const PENDING_FACTOR_MS = 3_600_000
/** Number of recovery codes of a second factor. */
export const RECOVERY_CODES = 10
/** Wrong codes after which an account accepts no codes for a while. */
export const MAX_WRONG_CODES = 5
/** Milliseconds in which the wrong codes of an account are counted, and for which it then accepts no codes: 15 minutes. */
export const WRONG_CODES_MS = 15 * 60_000

/** Secret that a person has begun to add to an authenticator, and that is not active yet. */
export interface PendingFactor {
  /** Encrypted secret. */
  readonly sealed: string
  /** Time from which the secret can no longer be activated. */
  readonly expiresAt: Instant
}

/** Active second factor of an account: codes of an authenticator (TOTP) and recovery codes. */
export interface SecondFactor {
  /** Encrypted secret. */
  readonly sealed: string
  /** Time of the activation. */
  readonly activatedAt: Instant
  /** Begin of the time step of the newest code that was used. The codes of this step and of earlier steps are refused. */
  readonly usedStepAt: Instant
  /** SHA-256 hashes of the unused recovery codes. */
  readonly recoveryHashes: readonly string[]
}

/** Wrong codes of an account since the last correct one. */
export interface WrongCodes {
  /** Number of wrong codes. */
  readonly count: number
  /** Time of the first of them. */
  readonly since: Instant
  /** Time of the last of them. */
  readonly lastAt: Instant
}

/** Code that a person typed, compared with the secret and the recovery codes of an account. */
export type FactorCode =
  | { readonly kind: 'step'; readonly stepAt: Instant }
  | { readonly kind: 'recovery'; readonly hash: string }
  | { readonly kind: 'wrong' }

/** Characters of recovery codes: without I, L, O and U, which look like digits or other letters. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Characters of a recovery code, besides its dashes. 16 characters of 32 have 80 bits. */
const RECOVERY_LENGTH = 16

/** Returns a new recovery code in groups of four. `int(n)` must return a uniform and unpredictable integer from 0 to n-1. */
export const drawRecoveryCode = (int: (below: number) => number): string =>
  Array.from({ length: RECOVERY_LENGTH }, () => ALPHABET[int(ALPHABET.length)])
    .join('')
    .replace(/(.{4})(?=.)/g, '$1-')

/** Returns a code without spaces and dashes, in upper case: the form in which codes are compared and recovery codes are hashed. */
export const plainCode = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase()

export const isAuthenticatorCode = (plain: string): boolean => /^[0-9]{6}$/.test(plain)
export const isRecoveryCode = (plain: string): boolean => /^[0-9A-HJKMNP-TV-Z]{16}$/.test(plain)
