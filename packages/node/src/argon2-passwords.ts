import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { HashTurn, Passwords } from '@matchyard/core/ports'
import { HashLines } from './hash-lines'
import { type HashTask, HashThread } from './hash-thread'

const ARGON2ID = 2
// The first choice of OWASP's password storage cheat sheet that fits a small machine: 19 MiB, two passes, a parallelism
// of 1.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Number of threads that hash passwords, 1 or 2. One core stays free for the event loop when there are several. */
export const HASHES_AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1))

/**
 * Threads of the whole process, because they share its cores. Their number does not depend on the number of requests.
 */
const threads = Array.from({ length: HASHES_AT_ONCE }, () => new HashThread({ algorithm: ARGON2ID, ...COST }))
const lines = new HashLines(HASHES_AT_ONCE)

function onThread(task: HashTask, turn: HashTurn | undefined): Promise<string | boolean> {
  return lines.run(async () => {
    const thread = threads.find(({ isBusy }) => !isBusy)
    if (thread === undefined) throw new Error('there are more hands than threads that hash')
    return thread.run(task)
  }, turn)
}

/**
 * Hashes passwords with argon2id. The encoded form holds the cost, so older hashes stay valid after the cost was
 * changed.
 */
export function argon2Passwords(): Passwords {
  const nobody = hashOfNothing()
  const matches = async (hash: string, password: string, turn?: HashTurn) =>
    (await onThread({ kind: 'verify', hash, password }, turn)) === true
  return {
    hash: async (password, turn) => String(await onThread({ kind: 'hash', password }, turn)),
    verify: matches,
    verifyNothing: async (password, turn) => {
      await matches(nobody, password, turn)
      return false
    },
  }
}

/**
 * Returns a well-formed hash of the same cost, for logins without an account. It is made of random bytes, so nobody
 * knows a password for it.
 */
function hashOfNothing(): string {
  const part = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '')
  const { memoryCost, timeCost, parallelism } = COST
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${part(16)}$${part(32)}`
}
