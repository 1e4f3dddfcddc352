import { createHash } from 'node:crypto'
import type { Passwords } from '@matchyard/core/ports'

/**
 * Hashes passwords with a fast hash, and counts the slow operations of a real implementation. Never use it for real
 * passwords.
 */
export class FakePasswords implements Passwords {
  /** Number of hashes that were made. */
  hashes = 0
  /** Number of verifications, for known and unknown users alike: equal work for both makes the timing equal. */
  verifications = 0

  async hash(password: string): Promise<string> {
    this.hashes++
    return digest(password)
  }

  async verify(hash: string, password: string): Promise<boolean> {
    this.verifications++
    return hash === digest(password)
  }

  async verifyNothing(_password: string): Promise<false> {
    this.verifications++
    return false
  }
}

const digest = (password: string) => `fake$${createHash('sha256').update(password, 'utf8').digest('hex')}`
