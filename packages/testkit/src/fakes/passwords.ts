import { createHash } from 'node:crypto'
import type { Passwords } from '@matchyard/core/ports'

/** Passwords with a fast hash; counts the slow operations. Never use it for real passwords. */
export class FakePasswords implements Passwords {
  hashes = 0
  /** Counts verifications of known and of unknown users alike: equal work keeps their timing equal. */
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
