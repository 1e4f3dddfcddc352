import { z } from '@hono/zod-openapi'
import type { MatchRule, RuleExpansion } from '@matchyard/core'

const number = z.number('must be a number')
const field = z.string().min(1, 'must be a key of the player state').max(128)

const expansionBody = z
  .strictObject({
    after_seconds: number,
    max_difference: number.optional(),
    min_overlap: number.optional(),
    max_ms: number.optional(),
    off: z.boolean().optional(),
  })
  .openapi('RuleExpansion', { description: 'From `after_seconds` after entering the rule is this loose.' })

const common = { required: z.boolean().optional(), expansions: z.array(expansionBody).optional() }

export const matchRuleBody = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('difference'), field, max_difference: number, ...common }),
    z.strictObject({ type: z.literal('equals'), field, ...common }),
    z.strictObject({
      type: z.literal('region'),
      field: field.optional(),
      min_overlap: number.optional(),
      ...common,
    }),
    z.strictObject({ type: z.literal('not_equals'), field, ...common }),
    z.strictObject({ type: z.literal('min'), field, value: number, ...common }),
    z.strictObject({ type: z.literal('max'), field, value: number, ...common }),
    z.strictObject({ type: z.literal('intersection'), field, min_overlap: number.optional(), ...common }),
    z.strictObject({ type: z.literal('team_difference'), field, max_difference: number, ...common }),
    z.strictObject({ type: z.literal('latency'), field, max_ms: number, ...common }),
  ])
  .openapi('MatchRule')

type MatchRuleBody = z.output<typeof matchRuleBody>

const given = <T extends Record<string, unknown>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const toExpansion = (step: z.output<typeof expansionBody>): RuleExpansion => ({
  afterSeconds: step.after_seconds,
  ...given({
    maxDifference: step.max_difference,
    minOverlap: step.min_overlap,
    maxMs: step.max_ms,
    off: step.off,
  }),
})

export function toMatchRule(body: MatchRuleBody): MatchRule {
  const bound = { ...body } as Partial<Record<'max_difference' | 'min_overlap' | 'max_ms' | 'value', number>>
  return {
    type: body.type,
    ...given({
      field: body.field,
      maxDifference: bound.max_difference,
      minOverlap: bound.min_overlap,
      maxMs: bound.max_ms,
      value: bound.value,
      required: body.required,
      expansions: body.expansions?.map(toExpansion),
    }),
  } as MatchRule
}

/** Fields that were left out stay out. */
export function toMatchRuleWire(rule: MatchRule) {
  const bound = { ...rule } as Partial<Record<'maxDifference' | 'minOverlap' | 'maxMs' | 'value', number>>
  return {
    type: rule.type,
    field: rule.field,
    max_difference: bound.maxDifference,
    min_overlap: bound.minOverlap,
    max_ms: bound.maxMs,
    value: bound.value,
    required: rule.required,
    expansions: rule.expansions?.map((step) => ({
      after_seconds: step.afterSeconds,
      max_difference: step.maxDifference,
      min_overlap: step.minOverlap,
      max_ms: step.maxMs,
      off: step.off,
    })),
  }
}
