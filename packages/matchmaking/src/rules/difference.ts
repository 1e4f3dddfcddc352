import type { DifferenceRule } from '../types'
import { readNumber } from './read'
import { DISTANCE } from './rule-bound'
import type { RuleForm } from './rule-form'
import { ruleKind } from './rule-kind'
import { NUMBERS } from './value-kind'

/**
 * Rule type `difference`: the highest number of the players of a match minus the lowest number is at most
 * `maxDifference`. The pool is sorted by the first rule of this type.
 */
export const difference = ruleKind<DifferenceRule, number>({
  type: 'difference',
  shape: 'range',
  wants: 'a number',
  bound: DISTANCE,
  read: (state, rule) => readNumber(state, rule.field),
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

export const differenceForm: RuleForm<DifferenceRule> = {
  label: 'difference',
  asks: 'the highest and the lowest differ by at most',
  reads: NUMBERS,
  sample: () => 1_500,
}
