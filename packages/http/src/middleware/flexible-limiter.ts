import { ServiceError } from '@matchyard/core'
import type { RateLimiter, RateRule, RateState } from './rate-limiter'

interface FlexibleState {
  readonly consumedPoints: number
  readonly msBeforeNext: number
}

/**
 * The members of a limiter of the package `rate-limiter-flexible` that are used here. The limiter may have any of the
 * package's stores.
 */
export interface FlexibleLimiter {
  /** Counts a call for a key. Rejects with the state when the limit is reached. */
  consume(key: string): Promise<FlexibleState>
  /** Returns the state of a key without counting a call; null for a key without calls. */
  get(key: string): Promise<FlexibleState | null>
}

/**
 * Returns a rate limiter that counts with `rate-limiter-flexible`, for example in a database that several nodes share.
 */
export function flexibleRateLimiter(create: (rule: RateRule) => FlexibleLimiter): RateLimiter {
  const limiters = new Map<string, FlexibleLimiter>()
  const of = (rule: RateRule): FlexibleLimiter => {
    const known = limiters.get(rule.name) ?? create(rule)
    limiters.set(rule.name, known)
    return known
  }
  return {
    async consume(rule, key) {
      try {
        return stateOf(await of(rule).consume(key))
      } catch (refused) {
        // The package reports a reached limit by rejecting with the limit's state. Any other rejection is a failure of
        // the store.
        if (isState(refused)) return stateOf(refused)
        throw unavailable()
      }
    },
    async peek(rule, key) {
      const state = await of(rule)
        .get(key)
        .catch(() => Promise.reject(unavailable()))
      return state === null ? { consumed: 0, resetMs: 0 } : stateOf(state)
    },
  }
}

const unavailable = () => new ServiceError('UNAVAILABLE', 'the rate limits cannot be checked now; try again shortly')

const isState = (value: unknown): value is FlexibleState =>
  typeof value === 'object' && value !== null && 'consumedPoints' in value && 'msBeforeNext' in value

const stateOf = (state: FlexibleState): RateState => ({
  consumed: state.consumedPoints,
  resetMs: Math.max(0, state.msBeforeNext),
})
