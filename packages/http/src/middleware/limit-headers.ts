import { ServiceError } from '@matchyard/core'
import type { RateRule, RateState } from './rate-limiter'

/** Returns the IETF `ratelimit` headers (draft-ietf-httpapi-ratelimit-headers). */
export function rateLimitHeaders(rule: RateRule, state: RateState): Record<string, string> {
  const remaining = Math.max(0, rule.points - state.consumed)
  return {
    'ratelimit-policy': `"${rule.name}";q=${rule.points};w=${Math.ceil(rule.windowMs / 1_000)}`,
    ratelimit: `"${rule.name}";r=${remaining};t=${secondsOf(state)}`,
  }
}

/** Returns the error `RATE_LIMITED`, and adds the limit and `retry-after` to the headers of the answer. */
export function rateLimited(rule: RateRule, state: RateState, headers: Record<string, string>): ServiceError {
  const seconds = Math.max(1, secondsOf(state))
  Object.assign(headers, rateLimitHeaders(rule, state), { 'retry-after': String(seconds) })
  const detail = `at most ${rule.points} such requests are allowed in ${rule.windowMs / 1_000} s; try again in ${seconds} s`
  return new ServiceError('RATE_LIMITED', detail, { policy: rule.name, retry_after_seconds: seconds })
}

const secondsOf = (state: RateState) => Math.ceil(state.resetMs / 1_000)
