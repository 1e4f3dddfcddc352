import { BOUND_FORMS, RULE_FORMS, RULE_KINDS } from '@matchyard/matchmaking'
import type { Expansion, Rule, RuleType } from './draft'

/** Description of the bound of a rule type, with its label and limits for the form. */
export interface Bound {
  /** Name in the API's JSON: `max_difference`. */
  readonly name: string
  readonly label: string
  readonly least: number | undefined
  readonly most: number | undefined
  readonly loosens: 'up' | 'down' | 'never'
  /** Initial value of the bound in a new rule. */
  readonly first: number
}

export const RULE_TYPES: readonly RuleType[] = Object.values(RULE_KINDS).map(({ type }) => type)

/** Returns the API's name of an engine setting: `max_difference` for `maxDifference`. */
export const wireName = (name: string | number): string =>
  String(name).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const labelOf = (type: RuleType): string => RULE_FORMS[type].label

/** Returns the condition of a rule in words: `mmr: the highest and the lowest differ by at most 100`. */
export function sentenceOf(rule: Rule, bound: Bound | null): string {
  const { asks } = RULE_FORMS[rule.type]
  if (!hasField(rule.type)) return bound === null ? asks : `${asks} ${boundOf(rule, bound) ?? bound.first} s`
  if (bound === null) return `${asks} ${fieldOf(rule)}`
  return `${fieldOf(rule)}: ${asks} ${boundOf(rule, bound) ?? '…'}${bound.name === 'max_ms' ? ' ms' : ''}`
}

/** Returns the description of the bound of a rule type; null when the type has no bound. */
export function boundOfType(type: RuleType): Bound | null {
  const { bound } = RULE_KINDS[type]
  if (bound === null) return null
  const { label, first } = BOUND_FORMS[bound.name]
  return { name: wireName(bound.name), label, first, least: bound.least, most: bound.most, loosens: bound.loosens }
}

/** Returns the value of the bound in a rule, or in one expansion of the rule. */
export const boundOf = (rule: Rule | Expansion, { name }: Bound): number | undefined =>
  (rule as unknown as { readonly [name: string]: number | undefined })[name]

/** Returns the field of a player's state that a rule reads; '' for a rule that reads no field. */
export const fieldOf = (rule: Rule): string => givenField(rule) ?? RULE_KINDS[rule.type].fieldUnlessSaid ?? ''

/** Returns the field that the rule itself sets. */
export const givenField = (rule: Rule): string | undefined => ('field' in rule ? rule.field : undefined)

export const hasField = (type: RuleType): boolean => RULE_KINDS[type].hasNoField !== true

/** Returns the scopes of a rule type with their words, the default first; none for a type without scopes. */
export const scopesOf = (type: RuleType): readonly (readonly [Scope, string])[] =>
  (RULE_KINDS[type].scopes ?? []).map((scope) => [scope as Scope, SCOPE_WORDS[scope as Scope]])

export type Scope = keyof typeof SCOPE_WORDS

const SCOPE_WORDS = {
  match: 'in one match',
  team: 'in one team',
  opponents: 'opponents',
  anyone: 'opponents and mates',
} as const

/** Returns a new rule of a type, with the field that most games use for it. */
export function newRule(type: RuleType): Rule {
  const bound = boundOfType(type)
  return {
    type,
    ...(hasField(type) ? { field: RULE_FORMS[type].reads?.field ?? RULE_KINDS[type].fieldUnlessSaid ?? '' } : {}),
    ...(bound === null ? {} : { [bound.name]: bound.first }),
  } as Rule
}

/**
 * Returns the rule changed to another type. The field stays when the old and the new type read values of the same kind.
 * In that case the bound stays too, if the two types have a bound of the same name.
 */
export function ofType(rule: Rule, type: RuleType): Rule {
  const stays = hasField(type) && RULE_FORMS[type].reads === RULE_FORMS[rule.type].reads
  const bound = boundOfType(type)
  const kept = stays && bound !== null && bound.name === boundOfType(rule.type)?.name ? boundOf(rule, bound) : undefined
  const required = hasField(type) && 'required' in rule ? rule.required : undefined
  return {
    ...newRule(type),
    ...(stays ? { field: fieldOf(rule) } : {}),
    ...(bound === null || kept === undefined ? {} : { [bound.name]: kept }),
    ...(required === undefined ? {} : { required }),
  } as Rule
}

/**
 * Returns the bound for a new expansion: twice the last bound, or the last bound minus 1 when a lower bound is looser.
 * The result is never below the minimum.
 */
export function looser(rule: Rule, bound: Bound): number {
  const last = boundOf(rule.expansions?.at(-1) ?? rule, bound) ?? boundOf(rule, bound) ?? bound.first
  return bound.loosens === 'down' ? Math.max(bound.least ?? 0, last - 1) : last * 2
}
