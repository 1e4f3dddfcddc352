import { z } from '@hono/zod-openapi'
import type { MatchRule, RuleExpansion } from '@matchyard/core'
import { RULE_FIELD_LENGTH } from '@matchyard/core/domain'
import { BOUND_FORMS, RULE_KINDS } from '@matchyard/matchmaking'
import { given, mirrorOf, plain, required, rowOf, unionOf } from './codec/index'
import { flag, oneOf } from './shared'

type Kind = (typeof RULE_KINDS)[MatchRule['type']]
type Bound = NonNullable<Kind['bound']>

const KINDS = Object.values(RULE_KINDS)

const number = z.number('must be a number')
const field = plain(
  z.string().min(RULE_FIELD_LENGTH.min, 'must be the name of a field of the player state').max(RULE_FIELD_LENGTH.max),
)

/**
 * Returns the codec of a rule's bound. The reference shows the minimum and the maximum of the bound; the engine checks
 * them.
 */
const within = ({ least, most }: Bound) =>
  plain(
    number.openapi({
      ...(least === undefined ? {} : { minimum: least }),
      ...(most === undefined ? {} : { type: 'integer', maximum: most }),
    }),
  )

/**
 * Fields for the bounds that expansion steps relax. The engine's type of a step has all these names, so one codec
 * serves all rules.
 */
const steps = Object.fromEntries(
  KINDS.flatMap(({ bound }) => {
    const words = bound === null ? undefined : BOUND_FORMS[bound.name].stepWords
    return bound === null || words === undefined ? [] : [[bound.name, given(plain(number), words)]]
  }),
)

const expansion = mirrorOf<Pick<RuleExpansion, 'afterSeconds' | 'off'>>()(
  {
    afterSeconds: required(plain(number), 'Seconds in the queue after which the step applies.'),
    ...steps,
    off: given(flag, 'Whether the rule is dropped from then on.'),
  },
  'RuleExpansion',
  'A step that relaxes a rule after `after_seconds` in the queue.',
)

const expansions = given(rowOf(expansion), 'Steps by which the rule relaxes while a party waits.')

const isRequired = given(
  flag,
  'Whether a player without this field in the state may not enter the queue. `false` by default: such a player passes the rule.',
)

/** Returns the field that names the value of the players' states that the rule reads; none for a rule that reads no value. */
function fieldOf({ hasNoField, fieldUnlessSaid }: Kind) {
  if (hasNoField) return {}
  const words = "Key in the players' states"
  const name =
    fieldUnlessSaid === undefined
      ? required(field, `${words}.`)
      : given(field, `${words}; \`${fieldUnlessSaid}\` by default.`)
  return { field: name }
}

const requiredOf = ({ hasNoField }: Kind) => (hasNoField ? {} : { required: isRequired })

function scopeOf({ scopes }: Kind) {
  if (scopes === undefined) return {}
  return { scope: given(oneOf(scopes), `Players whom the rule keeps apart; \`${scopes[0]}\` by default.`) }
}

function boundOf({ bound }: Kind) {
  if (bound === null) return {}
  const { words } = BOUND_FORMS[bound.name]
  const kept = bound.unlessSaid === undefined ? required : given
  return { [bound.name]: kept(within(bound), words) }
}

/** Rule types with their fields. The engine's registry contains every type, so no type is missing here. */
const variants: unknown = Object.fromEntries(
  KINDS.map((kind) => [
    kind.type,
    { ...fieldOf(kind), ...boundOf(kind), ...scopeOf(kind), ...requiredOf(kind), expansions },
  ]),
)

export const matchRule = unionOf<MatchRule>()(
  variants as never,
  'MatchRule',
  'A rule that the players of a match must pass. See docs/matchmaking.md of the service.',
)
