import type { DifferenceRule } from '../types'
import { checkBound, readNumber } from './read'
import { ruleKind } from './rule-kind'

/** max − min of the numeric field over all players ≤ `maxDifference`. The first such rule orders the pool. */
export const difference = ruleKind<DifferenceRule, number>({
  type: 'difference',
  shape: 'range',
  wants: 'a number',
  check: (rule) => checkBound('maxDifference', rule.maxDifference, 0),
  read: (state, rule) => readNumber(state, rule.field),
  bound: (rule) => rule.maxDifference,
  step: (expansion) => expansion.maxDifference,
  loosens: 'up',
  holds: (values, bound) => {
    let low = Number.POSITIVE_INFINITY
    let high = Number.NEGATIVE_INFINITY
    for (const value of values) {
      if (value < low) low = value
      if (value > high) high = value
    }
    return values.length === 0 || high - low <= bound
  },
})
