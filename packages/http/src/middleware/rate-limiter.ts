import type { Clock } from '@matchyard/core/ports'

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
/** Windows at once. Past it the oldest are forgotten: callers can invent names faster than windows end. */
export const MAX_WINDOWS = 200_000
/** Forgotten together, so that not every call sweeps. */
const FORGOTTEN_AT_ONCE = MAX_WINDOWS / 10

/** The default: counts in this process, by the given clock. */
export function memoryRateLimiter(clock: Clock): RateLimiter {
  const windows = new Map<string, { consumed: number; endsAt: number }>()
  let sweepAt = SWEEP_AT
  const sweep = (now: number) => {
    for (const [key, window] of windows) if (window.endsAt <= now) windows.delete(key)
    sweepAt = Math.min(Math.max(SWEEP_AT, windows.size * 2), MAX_WINDOWS)
    if (windows.size < MAX_WINDOWS) return
    let forgotten = 0
    for (const key of windows.keys()) {
      if (++forgotten > FORGOTTEN_AT_ONCE) break
      windows.delete(key)
    }
  }
  const current = (rule: RateRule, key: string, now: number) => {
    const id = `${rule.name}:${key}`
    const window = windows.get(id)
    return window !== undefined && window.endsAt > now ? window : undefined
  }
  return {
    async consume(rule, key) {
      const now = clock.now()
      if (windows.size >= sweepAt) sweep(now)
      const window = current(rule, key, now) ?? { consumed: 0, endsAt: now + rule.windowMs }
      window.consumed++
      windows.set(`${rule.name}:${key}`, window)
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
