import type { EqualsRule } from '../types'
import { jsonKey } from './json-key'
import { own } from './read'
import { ruleKind } from './rule-kind'

/** One value of the field (JSON equality). Every type of value is of the right type; buckets the pool. */
export const equals = ruleKind<EqualsRule, string>({
  type: 'equals',
  shape: 'key',
  wants: 'a value',
  check: () => [],
  read: (state, rule) => {
    const value = own(state, rule.field)
    return value === undefined ? undefined : jsonKey(value)
  },
  bound: () => 0,
  step: () => undefined,
  loosens: 'never',
  holds: (values) => values.every((value) => value === values[0]),
})
