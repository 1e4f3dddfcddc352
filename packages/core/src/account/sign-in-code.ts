const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Characters of the secret. 43 characters of base 62 have at least 256 bits. */
const SECRET_LENGTH = 43
const SHAPE = /^([0-9A-Za-z_]{1,64})\.([0-9A-Za-z]{43})$/

/** Lifetime of a sign-in code: 10 minutes. */
export const SIGN_IN_CODE_LIFETIME_MS = 10 * 60_000

/** Returns a new secret for a sign-in code. `int(n)` must return a uniform and unpredictable integer from 0 to n-1. */
export const drawSignInSecret = (int: (below: number) => number): string =>
  Array.from({ length: SECRET_LENGTH }, () => ALPHABET[int(ALPHABET.length)]).join('')

export const signInCodeOf = (accountId: string, secret: string): string => `${accountId}.${secret}`

/** Returns the account and the secret of a sign-in code; undefined for text that is not a code. */
export function partsOfSignInCode(code: string): { readonly accountId: string; readonly secret: string } | undefined {
  const [, accountId, secret] = SHAPE.exec(code) ?? []
  return accountId === undefined || secret === undefined ? undefined : { accountId, secret }
}
