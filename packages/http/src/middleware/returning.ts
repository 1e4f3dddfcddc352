/** Sign-ins that are remembered; past it the one that was used longest ago is forgotten. */
export const MAX_RETURNING = 10_000

/**
 * From which addresses accounts have signed in to this process before. A sign-in from such a place waits in a line of its own for its hash,
 * which strangers cannot make long.
 */
export class Returning {
  private readonly known = new Set<string>()

  has(email: string, address: string): boolean {
    return this.known.has(keyOf(email, address))
  }

  /** Remembers it as the newest. */
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

/** An account's logins from one address, as one key. The e-mail address is compared as accounts are. */
export const keyOf = (email: string, address: string): string => `${email.toLowerCase()} ${address}`
