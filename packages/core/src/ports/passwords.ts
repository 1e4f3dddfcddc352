/** Waiting line of a hash computation. A long line does not delay the callers in another line. */
export type HashLine = 'operator' | 'returning' | 'sign-in' | 'registration'

/** Position of a hash computation in a waiting line. It matters when many hashes are requested at once. */
export interface HashTurn {
  /**
   * `operator`: requested by the operator of the installation. `returning`: a sign-in from an address from which the same account signed in
   * before. Default: `operator`. Existing and missing accounts wait in the same line, so the length of the wait does not reveal whether an
   * account exists.
   */
  readonly line?: HashLine
  /** Address of the caller. Within a line, the addresses take turns. */
  readonly from?: string | undefined
}

/** Slow hashes for passwords (argon2id). */
export interface Passwords {
  /** Returns the hash of a password, with its parameters. */
  hash(password: string, turn?: HashTurn): Promise<string>
  /** Whether the password fits the hash. */
  verify(hash: string, password: string, turn?: HashTurn): Promise<boolean>
  /**
   * Resolves with false after as much time as `verify` takes. A login for an unknown account is thus no faster than a login with a wrong
   * password.
   */
  verifyNothing(password: string, turn?: HashTurn): Promise<false>
}
