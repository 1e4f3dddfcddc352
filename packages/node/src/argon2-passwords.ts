import { randomBytes } from 'node:crypto'
import type { Passwords } from '@matchyard/core/ports'
import { hash, verify } from '@node-rs/argon2'
import { Hands } from './hands'

const ARGON2ID = 2
// The first choice of OWASP's password storage cheat sheet that fits a small machine: 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Hashes at once: files are read and written by the same four threads of Node's pool, and must not wait behind a crowd of logins.
 */
export const HASHES_AT_ONCE = 2
/** Some seconds' worth of them; past it a login is refused at once instead of after its caller has gone. */
export const MAX_WAITING_HASHES = 128

/** argon2id in the encoded form, so that a later change of cost still verifies older hashes. */
export function argon2Passwords(): Passwords {
  const nobody = hashOfNothing()
  const hands = new Hands(HASHES_AT_ONCE, MAX_WAITING_HASHES)
  const matches = (encoded: string, password: string) =>
    hands.run(async () => {
      try {
        return await verify(encoded, password)
      } catch {
        return false // not a hash of ours
      }
    })
  return {
    hash: (password) => hands.run(() => hash(password, { algorithm: ARGON2ID, ...COST })),
    verify: matches,
    verifyNothing: async (password) => {
      await matches(nobody, password)
      return false
    },
  }
}

/** Well-formed and of the same cost, but of no known password: made from chance instead of by hashing. */
function hashOfNothing(): string {
  const part = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '')
  const { memoryCost, timeCost, parallelism } = COST
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${part(16)}$${part(32)}`
}
