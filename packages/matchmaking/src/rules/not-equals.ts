import type { NotEqualsRule } from '../types'
import { jsonKey } from './json-key'
import { own } from './read'
import { ruleKind } from './rule-kind'

/** All values of the field differ (JSON equality). */
export const notEquals = ruleKind<NotEqualsRule, string>({
  type: 'not_equals',
  shape: 'values',
  wants: 'a value',
  check: () => [],
  read: (state, rule) => {
    const value = own(state, rule.field)
    return value === undefined ? undefined : jsonKey(value)
  },
  bound: () => 0,
  step: () => undefined,
  loosens: 'never',
  holds: (values) => new Set(values).size === values.length,
})
