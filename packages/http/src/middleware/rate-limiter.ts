import type { Clock } from '@matchyard/core/ports'
import { type RateState, Windows } from './windows'

export type { RateState }

/** A limit of `points` in a window of `windowMs` milliseconds, which begins with the first counted call. */
export interface RateRule {
  /** Name that separates the counts of different rules; also the policy's name in the `ratelimit` headers. */
  readonly name: string
  readonly points: number
  readonly windowMs: number
}

/** Counter by rule and key. Nodes that share one counter (in a database) share their limits. */
export interface RateLimiter {
  /**
   * Counts one call and resolves to the state with it. `owner` is the owner of the key, if callers can invent keys, as
   * for the players of a project. Past a maximum number of windows, the owner with the most windows loses: its windows
   * are forgotten, or counted by each node separately. A key has one owner.
   */
  consume(rule: RateRule, key: string, owner?: string): Promise<RateState>
  /** Resolves to the present state, without counting a call. */
  peek(rule: RateRule, key: string): Promise<RateState>
}

/** Returns the default rate limiter, which counts in this process by the given clock. */
export function memoryRateLimiter(clock: Clock): RateLimiter {
  const rules = new Map<string, Windows>()
  const windowsOf = ({ name, windowMs }: RateRule): Windows => {
    const known = rules.get(name) ?? new Windows(windowMs)
    rules.set(name, known)
    return known
  }
  return {
    consume: async (rule, key, owner = '') => windowsOf(rule).consume(key, owner, clock.now()),
    peek: async (rule, key) => windowsOf(rule).peek(key, clock.now()),
  }
}
