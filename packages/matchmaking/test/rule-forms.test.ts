import { RULE_ARBITRARIES } from '@matchyard/testkit/matchmaking'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BOUND_FORMS, type MatchRule, RULE_FORMS, RULE_KINDS, validateConfig } from '../src/index'

const KINDS = Object.values(RULE_KINDS)

test.each(KINDS)('a $type rule as it is filled in at first is one that can be taken', ({ type, bound }) => {
  const first = bound === null ? {} : { [bound.name]: BOUND_FORMS[bound.name].first }
  const { reads } = RULE_FORMS[type]
  const rule = { type, ...(reads === null ? {} : { field: reads.field }), ...first } as MatchRule
  expect(validateConfig({ rules: [rule] })).toEqual([])
})

test.each(KINDS.filter(({ hasNoField }) => !hasNoField))(
  'players with samples of a $type rule suit each other',
  ({ type, shape, bound, fieldUnlessSaid, read, holds }) => {
    fc.assert(
      fc.property(RULE_ARBITRARIES[type], (rule) => {
        const field = ('field' in rule ? rule.field : undefined) ?? fieldUnlessSaid ?? ''
        const sampled = [0.1, 0.9].map((drawn) => read({ [field]: RULE_FORMS[type].sample(rule, drawn) }, rule))
        expect(sampled).not.toContain(undefined)
        const kept = bound === null ? 0 : Number((rule as unknown as Record<string, unknown>)[bound.name])
        expect(holds(sampled, kept), shape).toBe(true)
      }),
    )
  },
)
