import type { MatchRule } from '../types'
import { max, maxForm, min, minForm } from './bounds'
import { difference, differenceForm } from './difference'
import { equals, equalsForm } from './equals'
import { intersection, intersectionForm } from './intersection'
import { latency, latencyForm } from './latency'
import { notEquals, notEqualsForm } from './not-equals'
import { region, regionForm } from './region'
import type { RuleForm } from './rule-form'
import type { RuleKind } from './rule-kind'
import { teamDifference, teamDifferenceForm } from './team-difference'

/** Every rule type. A new type needs a file in this folder, its lines in this file, and its arbitrary in the test kit. */
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

/** Every rule type, as forms and documents show it. */
export const RULE_FORMS: Readonly<Record<MatchRule['type'], RuleForm>> = {
  difference: differenceForm,
  equals: equalsForm,
  region: regionForm,
  not_equals: notEqualsForm,
  min: minForm,
  max: maxForm,
  intersection: intersectionForm,
  team_difference: teamDifferenceForm,
  latency: latencyForm,
}
