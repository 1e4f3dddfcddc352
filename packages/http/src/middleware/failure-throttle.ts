import { rateLimited } from './limit-headers'
import type { RateLimiter, RateRule } from './rate-limiter'

/** One thing whose failures are counted: an account's logins, an address's invite codes. */
export interface Suspect {
  readonly rule: RateRule
  readonly key: string
}

/**
 * Limits failures, not attempts: whoever succeeds is never counted. Attempts that could together pass a limit wait for each
 * other, so that a hundred guesses sent at once are not a hundred guesses allowed.
 */
export class FailureThrottle {
  private readonly underWay = new Map<string, { count: number; waiting: (() => void)[] }>()

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
    const { rule, key } = suspect
    const id = idOf(suspect)
    for (;;) {
      const state = await this.limiter.peek(rule, key)
      if (state.consumed >= rule.points) throw rateLimited(rule, state, headers)
      const entry = this.underWay.get(id) ?? { count: 0, waiting: [] }
      this.underWay.set(id, entry)
      if (state.consumed + entry.count < rule.points) {
        entry.count++
        return
      }
      await new Promise<void>((resolve) => entry.waiting.push(resolve))
    }
  }

  private release(id: string): void {
    const entry = this.underWay.get(id)
    if (entry === undefined) return
    entry.count--
    if (entry.count === 0) this.underWay.delete(id)
    // Everyone looks again: the one that is done may have failed.
    for (const wake of entry.waiting.splice(0)) wake()
  }
}

const idOf = ({ rule, key }: Suspect) => `${rule.name}:${key}`
