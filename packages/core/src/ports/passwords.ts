/** Slow hashes for passwords (argon2id). */
export interface Passwords {
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
  /** Takes as long as `verify` does and is never true: an unknown user is answered no faster than a wrong password. */
  verifyNothing(password: string): Promise<false>
}
