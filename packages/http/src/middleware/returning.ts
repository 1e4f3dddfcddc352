/** Maximum number of remembered sign-ins. Past it, the least recently used one is forgotten. */
export const MAX_RETURNING = 10_000

/**
 * The addresses from which accounts have signed in to this process before. A sign-in from such an address waits for its
 * password hash in a separate line, which strangers cannot make long.
 */
export class Returning {
  private readonly known = new Set<string>()

  has(email: string, address: string): boolean {
    return this.known.has(keyOf(email, address))
  }

  /** Remembers a sign-in as the newest. */
  note(email: string, address: string): void {
    const key = keyOf(email, address)
    this.known.delete(key)
    this.known.add(key)
    if (this.known.size <= MAX_RETURNING) return
    for (const oldest of this.known) {
      this.known.delete(oldest)
      return
    }
  }
}

/**
 * Returns the key of an account's logins from one address. The case of the e-mail address is ignored, as it is for
 * accounts.
 */
export const keyOf = (email: string, address: string): string => `${email.toLowerCase()} ${address}`
