import type { LateAnswers } from './late-answers'
import { rateLimited } from './limit-headers'
import type { RateLimiter, RateRule, RateState } from './rate-limiter'

/** A key under which attempts are counted: an account's logins from one address, or an address's invite codes. */
export interface Suspect {
  readonly rule: RateRule
  readonly key: string
}

/** A key that unrelated callers share. Past its limit failures are answered late instead of being refused. */
export interface SharedSuspect extends Suspect {
  /** Returns the milliseconds by which a failure is late that is `over` attempts past the limit. */
  lateMs(over: number): number
}

export interface Attempt<T> {
  /** Keys with limits. Past the limit of one of them the attempt is refused. */
  readonly suspects: readonly Suspect[]
  /** Shared key. Past its limit an attempt that counts is answered late; other attempts never are. */
  readonly shared?: SharedSuspect | undefined
  /** Headers of the answer, to which a refusal adds a description of the limit. */
  readonly headers: Record<string, string>
  work(): Promise<T>
  /** Whether the attempt counts. `error` is undefined for a successful attempt. */
  counts(error: unknown): boolean
}

/**
 * Maximum number of attempts that wait for others with the same key. No person makes more at once, and each waiting
 * attempt must check the limit again.
 */
export const MAX_WAITING_ATTEMPTS = 100
/** Maximum number of waiting attempts with all keys together. Attempts that need not wait are not affected. */
export const MAX_WAITING_IN_ALL = 2_000
/** Milliseconds until a retry, for attempts past these maximums: by then some of the waiting attempts have ended. */
const CROWDED_RETRY_MS = 1_000

interface UnderWay {
  count: number
  readonly waiting: (() => void)[]
}

/**
 * Limits the attempts that count, usually failed ones. Attempts that could together pass a limit wait for each other.
 * Otherwise a hundred guesses that are sent at once would all be allowed.
 */
export class FailureThrottle {
  private readonly underWay = new Map<string, UnderWay>()
  private waiting = 0

  constructor(
    private readonly limiter: RateLimiter,
    private readonly late: LateAnswers,
  ) {}

  /** Runs an attempt. Rejects with `RATE_LIMITED` when one of its keys is past its limit. */
  async attempt<T>({ suspects, shared, headers, work, counts }: Attempt<T>): Promise<T> {
    const taken: string[] = []
    let lateMs = 0
    const count = async () => {
      await Promise.all(suspects.map(({ rule, key }) => this.limiter.consume(rule, key)))
      if (shared === undefined) return
      const { consumed } = await this.limiter.consume(shared.rule, shared.key)
      lateMs = consumed > shared.rule.points ? shared.lateMs(consumed - shared.rule.points) : 0
    }
    try {
      for (const suspect of suspects) {
        await this.take(suspect, headers)
        taken.push(idOf(suspect))
      }
      const made = await work()
      if (counts(undefined)) await count()
      return made
    } catch (error) {
      if (taken.length === suspects.length && counts(error)) await count()
      throw error
    } finally {
      for (const id of taken) this.release(id)
      await this.late.hold(lateMs)
    }
  }

  private async take(suspect: Suspect, headers: Record<string, string>): Promise<void> {
    const { rule } = suspect
    const id = idOf(suspect)
    for (;;) {
      const state = await this.look(suspect)
      if (state.consumed >= rule.points) {
        this.wakeNext(id)
        throw rateLimited(rule, state, headers)
      }
      const entry = this.underWay.get(id) ?? { count: 0, waiting: [] }
      this.underWay.set(id, entry)
      if (state.consumed + entry.count < rule.points) {
        entry.count++
        // When a window has ended there is room for more attempts than the one that was woken.
        if (state.consumed + entry.count < rule.points) this.wakeNext(id)
        return
      }
      if (entry.waiting.length >= MAX_WAITING_ATTEMPTS || this.waiting >= MAX_WAITING_IN_ALL) {
        throw rateLimited(rule, { consumed: rule.points, resetMs: CROWDED_RETRY_MS }, headers)
      }
      this.waiting++
      await new Promise<void>((resolve) => entry.waiting.push(resolve))
      this.waiting--
    }
  }

  /** Returns the present state of a limit. If it cannot be read, wakes the next waiting attempt before it throws. */
  private async look({ rule, key }: Suspect): Promise<RateState> {
    try {
      return await this.limiter.peek(rule, key)
    } catch (error) {
      this.wakeNext(idOf({ rule, key }))
      throw error
    }
  }

  private release(id: string): void {
    const entry = this.underWay.get(id)
    if (entry === undefined) return
    entry.count--
    this.wakeNext(id)
  }

  /**
   * Wakes the next waiting attempt. It takes the free place, or is refused and wakes the next one. So each attempt
   * checks the limit once each time it is woken.
   */
  private wakeNext(id: string): void {
    const entry = this.underWay.get(id)
    if (entry === undefined) return
    const next = entry.waiting.shift()
    if (next !== undefined) next()
    else if (entry.count === 0) this.underWay.delete(id)
  }
}

const idOf = ({ rule, key }: Suspect) => `${rule.name}:${key}`
