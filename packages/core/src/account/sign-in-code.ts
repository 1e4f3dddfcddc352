const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Characters of base 62: at least 256 bits. */
const SECRET_LENGTH = 43
const SHAPE = /^([0-9A-Za-z_]{1,64})\.([0-9A-Za-z]{43})$/

/** How long a code that signs in once is good. */
export const SIGN_IN_CODE_LIFETIME_MS = 10 * 60_000

/** A new secret of a code. `int(n)` is uniform in 0..n-1 and fit for secrets. */
export const drawSignInSecret = (int: (below: number) => number): string =>
  Array.from({ length: SECRET_LENGTH }, () => ALPHABET[int(ALPHABET.length)]).join('')

export const signInCodeOf = (accountId: string, secret: string): string => `${accountId}.${secret}`

/** Returns the account and the secret of a sign-in code; undefined for text that is not a code. */
export function partsOfSignInCode(code: string): { readonly accountId: string; readonly secret: string } | undefined {
  const [, accountId, secret] = SHAPE.exec(code) ?? []
  return accountId === undefined || secret === undefined ? undefined : { accountId, secret }
}
