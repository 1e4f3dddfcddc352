import type { Clock } from '@matchyard/core/ports'
import { type RateState, Windows } from './windows'

export type { RateState }

/** A limit of `points` calls in a window of `windowMs` milliseconds. The first counted call begins the window. */
export interface RateRule {
  /** Name that separates the counts of different rules. It is also the policy's name in the `ratelimit` headers. */
  readonly name: string
  /** Maximum number of calls in a window. */
  readonly points: number
  /** Length of the window in milliseconds. */
  readonly windowMs: number
}

/** Counts of calls by rule and key. Nodes that share the counts (in a database) share their limits. */
export interface RateLimiter {
  /**
   * Counts one call and resolves to the state of the limit after it. `owner` is the owner of the key, for keys that
   * callers can invent: for the players of a project, the project. Beyond a maximum number of windows, the owner with
   * the most windows loses windows, or each node counts them separately. A key always has the same owner.
   */
  consume(rule: RateRule, key: string, owner?: string): Promise<RateState>
  /** Resolves to the current state, without counting a call. */
  peek(rule: RateRule, key: string): Promise<RateState>
}

/** Returns the default rate limiter, which counts in this process and uses the given clock. */
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
