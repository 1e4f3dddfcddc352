import { createHash } from 'node:crypto'
import type { Passwords } from '@matchyard/core/ports'

/** Passwords hashed fast, and how often each slow thing would have been done. Never for real passwords. */
export class FakePasswords implements Passwords {
  hashes = 0
  /** Both kinds: equal work for a known and an unknown user is what keeps their timing equal. */
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
