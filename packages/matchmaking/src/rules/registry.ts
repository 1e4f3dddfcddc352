import type { MatchRule } from '../types'
import { avoid, avoidForm } from './avoid'
import { max, maxForm, min, minForm } from './bounds'
import { difference, differenceForm } from './difference'
import { equals, equalsForm } from './equals'
import { intersection, intersectionForm } from './intersection'
import { latency, latencyForm } from './latency'
import { notEquals, notEqualsForm } from './not-equals'
import { recentOpponents, recentOpponentsForm } from './recent-opponents'
import { region, regionForm } from './region'
import type { RuleForm } from './rule-form'
import type { RuleKind } from './rule-kind'
import { teamDifference, teamDifferenceForm } from './team-difference'

/**
 * Every rule type, by its name. A new type needs a file in this folder, its lines in this file, and a generator of
 * random rules (an arbitrary) in the test kit.
 */
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
  avoid,
  recent_opponents: recentOpponents,
}

/** The texts of every rule type, for forms and documents. */
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
  avoid: avoidForm,
  recent_opponents: recentOpponentsForm,
}
