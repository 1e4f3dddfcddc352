/** Maximum number of remembered logins. Beyond it, the least recently used login is forgotten. */
export const MAX_RETURNING = 10_000

/**
 * Addresses from which accounts have logged in to this process before. A login from such an address waits for its
 * password hash in a separate queue, so that unknown callers cannot delay it.
 */
export class Returning {
  private readonly known = new Set<string>()

  has(email: string, address: string): boolean {
    return this.known.has(keyOf(email, address))
  }

  /** Remembers a login as the newest one. */
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
 * Returns the key under which an account's logins from one address are counted. As in accounts, letter case in the
 * e-mail address is ignored.
 */
export const keyOf = (email: string, address: string): string => `${email.toLowerCase()} ${address}`
