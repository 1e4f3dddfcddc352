import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { HashTurn, Passwords } from '@matchyard/core/ports'
import { HashLines } from './hash-lines'
import { type HashTask, HashThread } from './hash-thread'

const ARGON2ID = 2
// The first choice of OWASP's password storage cheat sheet that fits a small machine: 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Threads that hash: one core stays with the event loop where there is more than one. */
export const HASHES_AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1))

/** Threads of the process, independent of the number of requests: its cores belong to the whole process. */
const threads = Array.from({ length: HASHES_AT_ONCE }, () => new HashThread({ algorithm: ARGON2ID, ...COST }))
const lines = new HashLines(HASHES_AT_ONCE)

function onThread(task: HashTask, turn: HashTurn | undefined): Promise<string | boolean> {
  return lines.run(async () => {
    const thread = threads.find(({ isBusy }) => !isBusy)
    if (thread === undefined) throw new Error('there are more hands than threads that hash')
    return thread.run(task)
  }, turn)
}

/** argon2id in the encoded form, so that a later change of cost still verifies older hashes. */
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

/** Well-formed and of the same cost, but of no known password: made from chance instead of by hashing. */
function hashOfNothing(): string {
  const part = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '')
  const { memoryCost, timeCost, parallelism } = COST
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${part(16)}$${part(32)}`
}
