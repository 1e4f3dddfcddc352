import type { Clock } from '@matchyard/core/ports'
import { FairMap } from '../fairness/fair-map'

/** At most `points` in a window of `windowMs`, which starts with the first of them. */
export interface RateRule {
  /** Keeps the counts of different rules apart; also the policy's name in the `ratelimit` headers. */
  readonly name: string
  readonly points: number
  readonly windowMs: number
}

/** How much of a window is used; `consumed` may pass the rule's points. */
export interface RateState {
  readonly consumed: number
  /** Milliseconds until the window is over. */
  readonly resetMs: number
}

/** Counts by rule and key. Nodes that share one (in a database) share their limits. */
export interface RateLimiter {
  /** Counts one and answers the state with it. */
  consume(rule: RateRule, key: string): Promise<RateState>
  /** The state as it is. */
  peek(rule: RateRule, key: string): Promise<RateState>
}

/** Windows kept before those that are over are swept. */
const SWEEP_AT = 10_000
/** Windows at once. Past it owners with many of them lose some: callers can invent names faster than windows end. */
export const MAX_WINDOWS = 200_000

interface Window {
  consumed: number
  readonly endsAt: number
  readonly points: number
}

/**
 * The default: counts in this process, by the given clock. `ownerOf`: whose a key is, so that keys that one invents push out no
 * window of another; default: all keys of a rule have one owner. Windows whose limit is reached go last.
 */
export function memoryRateLimiter(clock: Clock, ownerOf: (key: string) => string = () => ''): RateLimiter {
  const windows = new FairMap<Window>(MAX_WINDOWS, ({ consumed, points }) => consumed < points)
  let sweepAt = SWEEP_AT
  const sweep = (now: number) => {
    windows.sweep(({ endsAt }) => endsAt <= now)
    sweepAt = Math.min(Math.max(SWEEP_AT, windows.size * 2), MAX_WINDOWS)
  }
  const current = (rule: RateRule, key: string, now: number) => {
    const window = windows.get(`${rule.name}:${key}`)
    return window !== undefined && window.endsAt > now ? window : undefined
  }
  const begin = (rule: RateRule, key: string, now: number): Window => {
    if (windows.size >= sweepAt) sweep(now)
    const window = { consumed: 0, endsAt: now + rule.windowMs, points: rule.points }
    windows.set(`${rule.name}:${key}`, `${rule.name}:${ownerOf(key)}`, window)
    return window
  }
  return {
    async consume(rule, key) {
      const now = clock.now()
      const window = current(rule, key, now) ?? begin(rule, key, now)
      window.consumed++
      return { consumed: window.consumed, resetMs: window.endsAt - now }
    },
    async peek(rule, key) {
      const now = clock.now()
      const window = current(rule, key, now)
      return window === undefined
        ? { consumed: 0, resetMs: 0 }
        : { consumed: window.consumed, resetMs: window.endsAt - now }
    },
  }
}
