import type { EqualsRule } from '../types'
import { jsonKey } from './json-key'
import { own } from './read'
import type { RuleForm } from './rule-form'
import { ruleKind } from './rule-kind'
import { VALUES } from './value-kind'

/**
 * Rule type `equals`: all players of a match have the same value of the field (JSON equality). The value may have any
 * type. The rule divides the pool into buckets.
 */
export const equals = ruleKind<EqualsRule, string>({
  type: 'equals',
  shape: 'key',
  wants: 'a value',
  bound: null,
  read: (state, rule) => {
    const value = own(state, rule.field)
    return value === undefined ? undefined : jsonKey(value)
  },
  holds: (values) => values.every((value) => value === values[0]),
})

export const equalsForm: RuleForm<EqualsRule> = {
  label: 'equals',
  asks: 'all have the same',
  reads: VALUES,
  sample: () => 'same',
}
