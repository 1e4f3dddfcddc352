import { BOUND_FORMS, RULE_FORMS, RULE_KINDS } from '@matchyard/matchmaking'
import type { Expansion, Rule, RuleType } from './draft'

/** The bound of a rule type, as it is filled in. */
export interface Bound {
  /** Name on the wire. */
  readonly name: string
  readonly label: string
  readonly least: number | undefined
  readonly most: number | undefined
  readonly loosens: 'up' | 'down' | 'never'
  /** The bound of a rule that is new. */
  readonly first: number
}

export const RULE_TYPES = Object.keys(RULE_KINDS) as RuleType[]

/** Returns the name on the wire of a setting of the engine: `max_difference` of `maxDifference`. */
export const wireName = (name: string | number): string =>
  String(name).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const labelOf = (type: RuleType): string => RULE_FORMS[type].label

/** Returns what a rule asks of the players of one match. */
export const asksOf = (type: RuleType): string => RULE_FORMS[type].asks

/** Returns the bound of a rule type; null for a type without one. */
export function boundOfType(type: RuleType): Bound | null {
  const { bound } = RULE_KINDS[type]
  if (bound === null) return null
  const { label, first } = BOUND_FORMS[bound.name]
  return { name: wireName(bound.name), label, first, least: bound.least, most: bound.most, loosens: bound.loosens }
}

/** Returns the number that a rule or a step of it has for a bound. */
export const boundOf = (rule: Rule | Expansion, { name }: Bound): number | undefined =>
  (rule as unknown as { readonly [name: string]: number | undefined })[name]

/** Returns the field of a player's state that a rule reads. */
export const fieldOf = (rule: Rule): string => rule.field ?? RULE_KINDS[rule.type].fieldUnlessSaid ?? ''

/** Returns a new rule of a type, on the field that most games have for it. */
export function newRule(type: RuleType): Rule {
  const bound = boundOfType(type)
  return {
    type,
    field: RULE_FORMS[type].reads.field,
    ...(bound === null ? {} : { [bound.name]: bound.first }),
  } as Rule
}

/** A rule of another type: its field stays where that reads values of the same kind, its bound where that means the same. */
export function ofType(rule: Rule, type: RuleType): Rule {
  const stays = RULE_FORMS[type].reads === RULE_FORMS[rule.type].reads
  const bound = boundOfType(type)
  const kept = stays && bound !== null && bound.name === boundOfType(rule.type)?.name ? boundOf(rule, bound) : undefined
  const { required } = rule
  return {
    ...newRule(type),
    ...(stays ? { field: fieldOf(rule) } : {}),
    ...(bound === null || kept === undefined ? {} : { [bound.name]: kept }),
    ...(required === undefined ? {} : { required }),
  } as Rule
}

/** Returns the bound of a step after the last one of a rule: looser than before, and still a bound. */
export function looser(rule: Rule, bound: Bound): number {
  const last = boundOf(rule.expansions?.at(-1) ?? rule, bound) ?? boundOf(rule, bound) ?? bound.first
  return bound.loosens === 'down' ? Math.max(bound.least ?? 0, last - 1) : last * 2
}
