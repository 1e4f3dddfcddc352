import type { NotEqualsRule } from '../types'
import { jsonKey } from './json-key'
import { own } from './read'
import type { RuleForm } from './rule-form'
import { ruleKind } from './rule-kind'
import { VALUES } from './value-kind'

/** Rule type `not_equals`: all players of a match have different values of the field (JSON equality). */
export const notEquals = ruleKind<NotEqualsRule, string>({
  type: 'not_equals',
  shape: 'values',
  wants: 'a value',
  bound: null,
  read: (state, rule) => {
    const value = own(state, rule.field)
    return value === undefined ? undefined : jsonKey(value)
  },
  holds: (values) => new Set(values).size === values.length,
})

export const notEqualsForm: RuleForm<NotEqualsRule> = {
  label: 'not equals',
  asks: 'no two have the same',
  reads: VALUES,
  sample: (_, drawn) => Math.floor(drawn * 1e9),
}
