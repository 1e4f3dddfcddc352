import type { MaxRule, MinRule } from '../types'
import { checkBound, readNumber } from './read'
import { ruleKind } from './rule-kind'

/** Every player's number ≥ `value`. Each player passes or fails alone; only `off` relaxes it. */
export const min = ruleKind<MinRule, number>({
  type: 'min',
  shape: 'gate',
  wants: 'a number',
  check: (rule) => checkBound('value', rule.value, Number.NEGATIVE_INFINITY),
  read: (state, rule) => readNumber(state, rule.field),
  bound: (rule) => rule.value,
  step: () => undefined,
  loosens: 'never',
  holds: (values, bound) => values.every((value) => value >= bound),
})

/** Every player's number ≤ `value`. */
export const max = ruleKind<MaxRule, number>({
  type: 'max',
  shape: 'gate',
  wants: 'a number',
  check: (rule) => checkBound('value', rule.value, Number.NEGATIVE_INFINITY),
  read: (state, rule) => readNumber(state, rule.field),
  bound: (rule) => rule.value,
  step: () => undefined,
  loosens: 'never',
  holds: (values, bound) => values.every((value) => value <= bound),
})
