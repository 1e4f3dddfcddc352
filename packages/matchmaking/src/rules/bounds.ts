import type { MaxRule, MinRule } from '../types'
import { readNumber } from './read'
import { LIMIT } from './rule-bound'
import type { RuleForm } from './rule-form'
import { ruleKind } from './rule-kind'
import { NUMBERS } from './value-kind'

/**
 * Rule type `min`: every player's number is at least `value`. Each player passes or fails alone, and only `off` relaxes
 * the rule.
 */
export const min = ruleKind<MinRule, number>({
  type: 'min',
  shape: 'gate',
  wants: 'a number',
  bound: LIMIT,
  read: (state, rule) => readNumber(state, rule.field),
  holds: (values, bound) => values.every((value) => value >= bound),
})

export const minForm: RuleForm<MinRule> = {
  label: 'min',
  asks: 'each has at least',
  reads: NUMBERS,
  sample: (rule) => rule.value,
}

/**
 * Rule type `max`: every player's number is at most `value`. Each player passes or fails alone, and only `off` relaxes
 * the rule.
 */
export const max = ruleKind<MaxRule, number>({
  type: 'max',
  shape: 'gate',
  wants: 'a number',
  bound: LIMIT,
  read: (state, rule) => readNumber(state, rule.field),
  holds: (values, bound) => values.every((value) => value <= bound),
})

export const maxForm: RuleForm<MaxRule> = {
  label: 'max',
  asks: 'each has at most',
  reads: NUMBERS,
  sample: (rule) => rule.value,
}
