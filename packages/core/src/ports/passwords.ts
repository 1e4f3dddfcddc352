/** Which line a hash waits in. A long line never makes the callers of another one wait for it. */
export type HashLine = 'operator' | 'returning' | 'sign-in' | 'registration'

/** Place of a hash in the waiting line, when many are requested at once. */
export interface HashTurn {
  /**
   * `operator`: requested by the operator of the installation. `returning`: a sign-in from an address from which the same account signed in
   * before. Default: `operator`. Existing and missing accounts wait in the same line, so that the wait does not tell them apart.
   */
  readonly line?: HashLine
  /** The address it was asked for from; in one line each address has its turn. */
  readonly from?: string | undefined
}

/** Slow hashes for passwords (argon2id). */
export interface Passwords {
  hash(password: string, turn?: HashTurn): Promise<string>
  verify(hash: string, password: string, turn?: HashTurn): Promise<boolean>
  /** Takes as long as `verify` does and is never true: an unknown user is answered no faster than a wrong password. */
  verifyNothing(password: string, turn?: HashTurn): Promise<false>
}
