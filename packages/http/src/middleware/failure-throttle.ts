import type { LateAnswers } from './late-answers'
import { rateLimited } from './limit-headers'
import type { RateLimiter, RateRule, RateState } from './rate-limiter'

/** One thing whose attempts are counted: an account's logins from an address, an address's invite codes. */
export interface Suspect {
  readonly rule: RateRule
  readonly key: string
}

/** One thing whose failures are answered late past its limit, for callers who have nothing to do with each other share it. */
export interface SharedSuspect extends Suspect {
  /** Milliseconds by which a failure is late that is `over` past the limit. */
  lateMs(over: number): number
}

export interface Attempt<T> {
  /** Past the limit of one of these the attempt is refused. */
  readonly suspects: readonly Suspect[]
  /** Past its limit an attempt that counts is answered late; one that does not count never is. */
  readonly shared?: SharedSuspect | undefined
  /** Headers of the answer that describe the limit. */
  readonly headers: Record<string, string>
  work(): Promise<T>
  /** Whether it counts; without an error it succeeded. */
  counts(error: unknown): boolean
}

/** Attempts that wait for others on one suspect; more at once are no person's, and each would have to look again. */
export const MAX_WAITING_ATTEMPTS = 100
/** Waiting attempts of all suspects together; attempts without a wait are not affected. */
export const MAX_WAITING_IN_ALL = 2_000
/** Told to those past it: by then some of the others are through. */
const CROWDED_RETRY_MS = 1_000

interface UnderWay {
  count: number
  readonly waiting: (() => void)[]
}

/**
 * Limits the attempts that count, normally failures: a successful attempt is never counted. Attempts that could together pass a limit wait for
 * each other, so that a hundred guesses sent at once are not a hundred guesses allowed.
 */
export class FailureThrottle {
  private readonly underWay = new Map<string, UnderWay>()
  private waiting = 0

  constructor(
    private readonly limiter: RateLimiter,
    private readonly late: LateAnswers,
  ) {}

  /** Runs an attempt; rejects with `RATE_LIMITED` when one of its suspects is past its limit. */
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
        // A window that is over leaves room for more than the one that was woken.
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

  /** Returns the present state; where it cannot be read, the next waiting attempt tries. */
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

  /** One looks again and takes the place that is free, or is refused and lets the next one look: each looks once for each try. */
  private wakeNext(id: string): void {
    const entry = this.underWay.get(id)
    if (entry === undefined) return
    const next = entry.waiting.shift()
    if (next !== undefined) next()
    else if (entry.count === 0) this.underWay.delete(id)
  }
}

const idOf = ({ rule, key }: Suspect) => `${rule.name}:${key}`
