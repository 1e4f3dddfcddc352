import type { Clock } from '@matchyard/core/ports'
import { type RateState, Windows } from './windows'

export type { RateState }

/** At most `points` in a window of `windowMs`, which starts with the first of them. */
export interface RateRule {
  /** Keeps the counts of different rules apart; also the policy's name in the `ratelimit` headers. */
  readonly name: string
  readonly points: number
  readonly windowMs: number
}

/** Counts by rule and key. Nodes that share one (in a database) share their limits. */
export interface RateLimiter {
  /**
   * Counts one and answers the state with it. `owner` is whose key it is where callers can invent keys, as those of a project's players: past
   * a number it is the owner with the most of them whose windows are forgotten, or counted by each node by itself. A key has one owner.
   */
  consume(rule: RateRule, key: string, owner?: string): Promise<RateState>
  /** The state as it is. */
  peek(rule: RateRule, key: string): Promise<RateState>
}

/** The default: counts in this process, by the given clock. */
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
