import { RULE_FORMS, RULE_KINDS } from '../rules/registry'
import { boundOf, SECONDS } from '../rules/rule-bound'
import { NUMBERS } from '../rules/value-kind'
import type { MatchmakingConfig } from '../types'
import { fieldOf, VERSION_FIELD } from './match-format'

const ROLE_FIELDS = ['role', 'roles']

/**
 * Returns the names of the state fields that matchmaking with this configuration reads, each name once: the fields of
 * rules, of roles, and of the version. Other fields of a player's state never change a match.
 */
export function fieldsRead({ rules = [], teamComposition, useVersionFromState }: MatchmakingConfig): readonly string[] {
  const fields = new Set(rules.flatMap((rule) => fieldOf(rule) ?? []))
  if (teamComposition !== undefined) for (const field of ROLE_FIELDS) fields.add(field)
  if (useVersionFromState === true) fields.add(VERSION_FIELD)
  return [...fields]
}

/** Returns the names of the numeric state fields that the rules read, in the order of the rules, each name once. */
export const numericFields = ({ rules = [] }: MatchmakingConfig): readonly string[] => [
  ...new Set(rules.filter(({ type }) => RULE_FORMS[type].reads === NUMBERS).flatMap((rule) => fieldOf(rule) ?? [])),
]

/**
 * Returns the names of the state fields whose values only their own player and backends may see, each name once: the
 * fields of `avoid` rules.
 */
export const privateFields = ({ rules = [] }: MatchmakingConfig): readonly string[] => [
  ...new Set(rules.flatMap((rule) => (RULE_KINDS[rule.type].isPrivate ? (fieldOf(rule) ?? []) : []))),
]

/**
 * Returns the meetings of players that matchmaking with this configuration reads: those with opponents or with anyone,
 * in matches that began within the seconds. undefined without a `recent_opponents` rule.
 */
export function meetingsRead({
  rules = [],
}: MatchmakingConfig): { readonly seconds: number; readonly scope: 'opponents' | 'anyone' } | undefined {
  const asking = rules.filter((rule) => rule.type === 'recent_opponents')
  if (asking.length === 0) return undefined
  return {
    seconds: Math.max(...asking.map((rule) => boundOf(SECONDS, rule))),
    scope: asking.some(({ scope }) => scope === 'anyone') ? 'anyone' : 'opponents',
  }
}
