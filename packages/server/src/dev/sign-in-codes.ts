import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { SignInCodes } from '@matchyard/http'

/** Milliseconds for which a code is valid. */
const LIFE_MS = 10 * 60_000
/** Maximum number of codes that are kept; a new code replaces the oldest. */
const MAX_CODES = 8

interface Shown {
  readonly hash: Buffer
  readonly accountId: string
  readonly until: number
  /** Id of the call that used the code; null for a call without an id, undefined while the code is unused. */
  usedBy: string | null | undefined
}

/**
 * One-time codes that this process has printed. Each code can be used once, within ten minutes. A retry of the same
 * call may use the code again. Only hashes of the codes are kept.
 */
export class OneTimeCodes implements SignInCodes {
  private shown: Shown[] = []

  constructor(private readonly now: () => number = Date.now) {}

  /** Returns a new code for an account. The code cannot be read again later. */
  draw(accountId: string): string {
    const code = randomBytes(32).toString('base64url')
    this.shown = [...this.shown, { hash: hashOf(code), accountId, until: this.now() + LIFE_MS, usedBy: undefined }]
    this.shown = this.shown.slice(-MAX_CODES)
    return code
  }

  use(code: string, call: string | undefined): string | undefined {
    const hash = hashOf(code)
    this.shown = this.shown.filter(({ until }) => until > this.now())
    // All codes are compared, so that the duration of the call does not show which code matches.
    const [found] = this.shown.filter((one) => timingSafeEqual(one.hash, hash))
    if (found === undefined) return undefined
    if (found.usedBy !== undefined && (call === undefined || found.usedBy !== call)) return undefined
    found.usedBy = call ?? null
    return found.accountId
  }
}

const hashOf = (code: string) => createHash('sha256').update(code).digest()
