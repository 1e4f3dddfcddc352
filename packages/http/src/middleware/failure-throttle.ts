import type { LateAnswers } from './late-answers'
import { rateLimited } from './limit-headers'
import type { RateLimiter, RateRule, RateState } from './rate-limiter'

/**
 * A key under which attempts are counted, with its limit: for example the logins of an account from one address, or the
 * invite codes from one address.
 */
export interface Suspect {
  readonly rule: RateRule
  readonly key: string
}

/** A key that unrelated callers share, with its limit. Beyond the limit, failures are answered late and not refused. */
export interface SharedSuspect extends Suspect {
  /** Returns the milliseconds by which a failed attempt is delayed when `over` attempts exceed the limit. */
  lateMs(over: number): number
}

export interface Attempt<T> {
  /** Keys with limits. When the limit of one of them is reached, the attempt is refused. */
  readonly suspects: readonly Suspect[]
  /**
   * Shared key. Beyond its limit, an attempt that counts is answered late. Attempts that do not count are never
   * delayed.
   */
  readonly shared?: SharedSuspect | undefined
  /** Headers of the answer. A refusal adds a description of the limit to them. */
  readonly headers: Record<string, string>
  work(): Promise<T>
  /** Whether an attempt with this result counts. `error` is undefined for a successful attempt. */
  counts(error: unknown): boolean
}

/**
 * Maximum number of attempts that wait for other attempts with the same key. No person makes more attempts at once, and
 * each waiting attempt must check the limit again.
 */
export const MAX_WAITING_ATTEMPTS = 100
/** Maximum number of waiting attempts with all keys together. Attempts that need not wait are not affected. */
export const MAX_WAITING_IN_ALL = 2_000
/**
 * Milliseconds until a retry, for an attempt that is refused because too many attempts wait. By then some of them have
 * ended.
 */
const CROWDED_RETRY_MS = 1_000

interface UnderWay {
  count: number
  readonly waiting: (() => void)[]
}

/**
 * Limits the attempts that count, usually the failed attempts. Attempts with the same key that could together exceed
 * the limit run one after another. Otherwise a hundred guesses that are sent at once would all be allowed.
 */
export class FailureThrottle {
  private readonly underWay = new Map<string, UnderWay>()
  private waiting = 0

  constructor(
    private readonly limiter: RateLimiter,
    private readonly late: LateAnswers,
  ) {}

  /** Runs an attempt. Rejects with `RATE_LIMITED` when one of its keys has reached its limit. */
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
        // If the time window of the limit has ended, several waiting attempts may run, so each attempt wakes the next
        // one.
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

  /** Returns the current state of a limit. If it cannot be read, wakes the next waiting attempt and throws. */
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
   * Wakes the next waiting attempt. That attempt takes the free place, or is refused and wakes the next one. Each
   * attempt therefore checks the limit once each time it is woken.
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
