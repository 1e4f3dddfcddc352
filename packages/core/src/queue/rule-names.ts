import { type MatchRule, RULE_KINDS } from '@matchyard/matchmaking'
import type { ValidationIssue } from '../errors/decision'
import { unknownFields } from '../shared/known-names'

type Kind = (typeof RULE_KINDS)[MatchRule['type']]

const namesOf = ({ hasNoField, scopes, bound }: Kind): string[] => [
  'type',
  'expansions',
  ...(hasNoField ? [] : ['field', 'required']),
  ...(scopes === undefined ? [] : ['scope']),
  ...(bound === null ? [] : [bound.name]),
]

const stepNamesOf = ({ bound }: Kind): string[] => [
  'afterSeconds',
  'off',
  ...(bound === null || bound.loosens === 'never' ? [] : [bound.name]),
]

/** Returns the faults of unknown fields of rules and of their expansion steps. Rules of an unknown type have another fault. */
export const unknownRuleFields = (rules: readonly MatchRule[]): ValidationIssue[] =>
  rules.flatMap((rule, index) => {
    if (!Object.hasOwn(RULE_KINDS, rule?.type)) return []
    const kind = RULE_KINDS[rule.type]
    const path = `matchmaking.rules.${index}.`
    const steps = Array.isArray(rule.expansions) ? rule.expansions : []
    return [
      ...unknownFields(rule, namesOf(kind), path),
      ...steps.flatMap((step, at) => unknownFields(step, stepNamesOf(kind), `${path}expansions.${at}.`)),
    ]
  })
