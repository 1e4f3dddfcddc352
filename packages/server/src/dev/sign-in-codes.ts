import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { SignInCodes } from '@matchyard/http'

/** How long a code is good for. */
const LIFE_MS = 10 * 60_000
/** Codes that are kept; a new one takes the place of the oldest. */
const MAX_CODES = 8

interface Shown {
  readonly hash: Buffer
  readonly accountId: string
  readonly until: number
  /** The call that used it; null where that names itself by nothing, undefined while it is unused. */
  usedBy: string | null | undefined
}

/** One-time codes that this process has printed: each works once, for ten minutes. Only their hashes are kept. */
export class OneTimeCodes implements SignInCodes {
  private shown: Shown[] = []

  constructor(private readonly now: () => number = Date.now) {}

  /** A new code for an account, to be shown this once. */
  draw(accountId: string): string {
    const code = randomBytes(32).toString('base64url')
    this.shown = [...this.shown, { hash: hashOf(code), accountId, until: this.now() + LIFE_MS, usedBy: undefined }]
    this.shown = this.shown.slice(-MAX_CODES)
    return code
  }

  use(code: string, call: string | undefined): string | undefined {
    const hash = hashOf(code)
    this.shown = this.shown.filter(({ until }) => until > this.now())
    // All of them are compared, so that the time tells nothing.
    const [found] = this.shown.filter((one) => timingSafeEqual(one.hash, hash))
    if (found === undefined) return undefined
    if (found.usedBy !== undefined && (call === undefined || found.usedBy !== call)) return undefined
    found.usedBy = call ?? null
    return found.accountId
  }
}

const hashOf = (code: string) => createHash('sha256').update(code).digest()
