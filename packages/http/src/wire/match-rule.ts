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
    after_seconds: required('afterSeconds', number, 'So many seconds after entering the queue this step begins.'),
    max_difference: given('maxDifference', number, 'From then on the values may be so far from each other.'),
    min_overlap: given('minOverlap', number, 'From then on so many values must be had in common.'),
    max_ms: given('maxMs', number, 'From then on nobody is further than so many milliseconds from where it is played.'),
    off: given('off', flag, 'Whether the rule counts no longer from then on.'),
  },
  'RuleExpansion',
  'From `after_seconds` after entering the rule is this loose.',
)

const onField = { field: required('field', field, 'The key of player states that it reads.') }
const common = {
  required: given(
    'required',
    flag,
    'Whether a player whose state lacks the field may not enter the queue; `false` unless said: such a player passes the rule.',
  ),
  expansions: given('expansions', rowOf(expansion), 'How it loosens while a party waits.'),
}
const maxDifference = {
  max_difference: required('maxDifference', number, 'The values are at most so far from each other.'),
}
const minOverlap = {
  min_overlap: given('minOverlap', number, 'So many values they must have in common.'),
}
const value = { value: required('value', number, 'The bound.') }

export const matchRule = unionOf<MatchRule>(
  {
    difference: { ...onField, ...maxDifference, ...common },
    equals: { ...onField, ...common },
    region: {
      field: given(
        'field',
        field,
        'The key of player states that holds the regions a player can play in; `regions` unless said.',
      ),
      ...minOverlap,
      ...common,
    },
    not_equals: { ...onField, ...common },
    min: { ...onField, ...value, ...common },
    max: { ...onField, ...value, ...common },
    intersection: { ...onField, ...minOverlap, ...common },
    team_difference: { ...onField, ...maxDifference, ...common },
    latency: {
      ...onField,
      max_ms: required('maxMs', number, 'Nobody is further than so many milliseconds from where it is played.'),
      ...common,
    },
  },
  'MatchRule',
  'What must be so between players who meet. See docs/matchmaking.md of the service.',
)
