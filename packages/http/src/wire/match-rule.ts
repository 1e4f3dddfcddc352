import { z } from '@hono/zod-openapi'
import type { MatchRule, RuleExpansion } from '@matchyard/core'
import { RULE_FIELD_LENGTH } from '@matchyard/core/domain'
import { given, mirrorOf, plain, required, rowOf, unionOf } from './codec/index'
import { flag } from './shared'

const number = plain(z.number('must be a number'))
const field = plain(
  z.string().min(RULE_FIELD_LENGTH.min, 'must be a key of the player state').max(RULE_FIELD_LENGTH.max),
)

const expansion = mirrorOf<RuleExpansion>()(
  {
    after_seconds: required('afterSeconds', number),
    max_difference: given('maxDifference', number),
    min_overlap: given('minOverlap', number),
    max_ms: given('maxMs', number),
    off: given('off', flag),
  },
  'RuleExpansion',
  { description: 'From `after_seconds` after entering the rule is this loose.' },
)

const onField = { field: required('field', field) }
const common = { required: given('required', flag), expansions: given('expansions', rowOf(expansion)) }
const maxDifference = { max_difference: required('maxDifference', number) }
const minOverlap = { min_overlap: given('minOverlap', number) }
const value = { value: required('value', number) }

export const matchRule = unionOf<MatchRule>(
  {
    difference: { ...onField, ...maxDifference, ...common },
    equals: { ...onField, ...common },
    region: { field: given('field', field), ...minOverlap, ...common },
    not_equals: { ...onField, ...common },
    min: { ...onField, ...value, ...common },
    max: { ...onField, ...value, ...common },
    intersection: { ...onField, ...minOverlap, ...common },
    team_difference: { ...onField, ...maxDifference, ...common },
    latency: { ...onField, max_ms: required('maxMs', number), ...common },
  },
  'MatchRule',
)
