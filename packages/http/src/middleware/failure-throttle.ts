import { rateLimited } from './limit-headers'
import type { RateLimiter, RateRule, RateState } from './rate-limiter'

/** One thing whose failures are counted: an account's logins, an address's invite codes. */
export interface Suspect {
  readonly rule: RateRule
  readonly key: string
}

/** Attempts that wait for others on one suspect; more at once are no person's, and each would have to look again. */
export const MAX_WAITING_ATTEMPTS = 100
/** Told to those past it: by then some of the others are through. */
const CROWDED_RETRY_MS = 1_000

interface UnderWay {
  count: number
  readonly waiting: (() => void)[]
}

/**
 * Limits failures, not attempts: whoever succeeds is never counted. Attempts that could together pass a limit wait for each
 * other, so that a hundred guesses sent at once are not a hundred guesses allowed.
 */
export class FailureThrottle {
  private readonly underWay = new Map<string, UnderWay>()

  constructor(private readonly limiter: RateLimiter) {}

  /** Runs an attempt; throws RATE_LIMITED instead when a suspect has failed too often. */
  async attempt<T>(
    suspects: readonly Suspect[],
    headers: Record<string, string>,
    work: () => Promise<T>,
    isFailure: (error: unknown) => boolean,
  ): Promise<T> {
    const taken: string[] = []
    try {
      for (const suspect of suspects) {
        await this.take(suspect, headers)
        taken.push(idOf(suspect))
      }
      return await work()
    } catch (error) {
      if (taken.length === suspects.length && isFailure(error)) {
        await Promise.all(suspects.map(({ rule, key }) => this.limiter.consume(rule, key)))
      }
      throw error
    } finally {
      for (const id of taken) this.release(id)
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
      if (entry.waiting.length >= MAX_WAITING_ATTEMPTS) {
        throw rateLimited(rule, { consumed: rule.points, resetMs: CROWDED_RETRY_MS }, headers)
      }
      await new Promise<void>((resolve) => entry.waiting.push(resolve))
    }
  }

  /** The state as it is; where it cannot be told, whoever waits next tries. */
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
