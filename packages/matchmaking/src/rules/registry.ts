import type { MatchRule } from '../types'
import { max, min } from './bounds'
import { difference } from './difference'
import { equals } from './equals'
import { intersection } from './intersection'
import { latency } from './latency'
import { notEquals } from './not-equals'
import { region } from './region'
import type { RuleKind } from './rule-kind'
import { teamDifference } from './team-difference'

/** Every rule type. A new one is a file beside these, a line here, and its arbitrary in the test kit. */
export const RULE_KINDS: Readonly<Record<MatchRule['type'], RuleKind>> = {
  difference,
  equals,
  region,
  not_equals: notEquals,
  min,
  max,
  intersection,
  team_difference: teamDifference,
  latency,
}
