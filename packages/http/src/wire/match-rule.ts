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
    afterSeconds: required(number, 'So many seconds after entering the queue this step begins.'),
    maxDifference: given(number, 'From then on the values may be so far from each other.'),
    minOverlap: given(number, 'From then on so many values must be had in common.'),
    maxMs: given(number, 'From then on nobody is further than so many milliseconds from where it is played.'),
    off: given(flag, 'Whether the rule counts no longer from then on.'),
  },
  'RuleExpansion',
  'From `after_seconds` after entering the rule is this loose.',
)

const onField = { field: required(field, 'The key of player states that it reads.') }
const common = {
  required: given(
    flag,
    'Whether a player whose state lacks the field may not enter the queue; `false` unless said: such a player passes the rule.',
  ),
  expansions: given(rowOf(expansion), 'How it loosens while a party waits.'),
}
const maxDifference = {
  maxDifference: required(number, 'The values are at most so far from each other.'),
}
const minOverlap = {
  minOverlap: given(number, 'So many values they must have in common.'),
}
const value = { value: required(number, 'The bound.') }

export const matchRule = unionOf<MatchRule>()(
  {
    difference: { ...onField, ...maxDifference, ...common },
    equals: { ...onField, ...common },
    region: {
      field: given(
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
      maxMs: required(number, 'Nobody is further than so many milliseconds from where it is played.'),
      ...common,
    },
  },
  'MatchRule',
  'What must be so between players who meet. See docs/matchmaking.md of the service.',
)
