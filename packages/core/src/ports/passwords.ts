/** Waiting line of a hash. A long line does not delay the callers of another line. */
export type HashLine = 'operator' | 'returning' | 'sign-in' | 'registration'

/** Place of a hash in its waiting line, used when many hashes are requested at once. */
export interface HashTurn {
  /**
   * `operator`: requested by the operator of the installation. `returning`: a sign-in from an address from which the same account signed in
   * before. Default: `operator`. Existing and missing accounts wait in the same line, so that the wait does not tell them apart.
   */
  readonly line?: HashLine
  /** Address of the caller. In one line the addresses take turns. */
  readonly from?: string | undefined
}

/** Slow hashes for passwords (argon2id). */
export interface Passwords {
  /** Returns the hash of a password, with its parameters. */
  hash(password: string, turn?: HashTurn): Promise<string>
  /** Whether the password fits the hash. */
  verify(hash: string, password: string, turn?: HashTurn): Promise<boolean>
  /** Takes as long as `verify` and resolves with false. A login for an unknown account is thus no faster than one with a wrong password. */
  verifyNothing(password: string, turn?: HashTurn): Promise<false>
}
