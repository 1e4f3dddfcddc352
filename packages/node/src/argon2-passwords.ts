import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { HashTurn, Passwords } from '@matchyard/core/ports'
import { HashLines } from './hash-lines'
import { type HashTask, HashThread } from './hash-thread'

const ARGON2ID = 2
// Cost of one hash: the first choice of OWASP's password storage cheat sheet that suits a small machine: 19 MiB, two
// passes, a parallelism of 1.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Number of threads that hash passwords, 1 or 2. If the machine has several cores, one core stays free for the event
 * loop.
 */
export const HASHES_AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1))

/**
 * The threads belong to the whole process, because its work shares the cores. Their number does not depend on the
 * number of requests.
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
 * Returns a `Passwords` port that hashes with argon2id. The encoded hash contains its cost, so older hashes stay valid
 * when the cost changes.
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
 * Returns a valid hash with the same cost, which is verified at logins without an account, so that they take as long as
 * others. It consists of random bytes, so no password is known for it.
 */
function hashOfNothing(): string {
  const part = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '')
  const { memoryCost, timeCost, parallelism } = COST
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${part(16)}$${part(32)}`
}
