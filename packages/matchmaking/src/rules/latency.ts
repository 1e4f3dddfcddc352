import type { LatencyRule } from '../types'
import { own } from './read'
import { REGION_CODES } from './region-mask'
import { MILLISECONDS } from './rule-bound'
import type { RuleForm } from './rule-form'
import { ruleKind } from './rule-kind'
import { LATENCIES } from './value-kind'

/**
 * Rule type `latency`: at least one region is within `maxMs` milliseconds for every player of a match. The field maps
 * region codes to milliseconds. A region that the map lacks counts as Infinity; unknown codes are ignored. One value
 * that is not a number makes the whole map invalid, with the same effect as an absent field.
 */
export const latency = ruleKind<LatencyRule, readonly number[]>({
  type: 'latency',
  shape: 'ceiling',
  wants: 'an object of milliseconds by region',
  bound: MILLISECONDS,
  read: (state, rule) => {
    const map = own(state, rule.field)
    if (typeof map !== 'object' || Array.isArray(map) || map === undefined) return undefined
    const pings = map as Readonly<Record<string, unknown>>
    if (!Object.values(pings).every((ms) => typeof ms === 'number')) return undefined
    return REGION_CODES.map((code) => (Object.hasOwn(pings, code) ? (pings[code] as number) : Number.POSITIVE_INFINITY))
  },
  holds: (players, bound) =>
    players.length === 0 ||
    REGION_CODES.some((_, index) => players.every((pings) => (pings[index] as number) <= bound)),
})

export const latencyForm: RuleForm<LatencyRule> = {
  label: 'latency',
  asks: 'all have one region with a latency of at most',
  reads: LATENCIES,
  sample: ({ maxMs }) => ({ iad: Math.min(20, maxMs), fra: 90 }),
}
