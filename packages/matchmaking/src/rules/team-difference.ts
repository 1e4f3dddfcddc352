import type { TeamDifferenceRule } from '../types'
import { readNumber } from './read'
import { DISTANCE } from './rule-bound'
import type { RuleForm } from './rule-form'
import { ruleKind } from './rule-kind'
import { NUMBERS } from './value-kind'

/** Averages of floats that are equal on paper may differ in the last bits. */
const ROUNDING = 1e-9

/** The averages of the teams (over those who have the field; a team with none is ignored) differ by at most `maxDifference`. */
export const teamDifference = ruleKind<TeamDifferenceRule, number>({
  type: 'team_difference',
  shape: 'teams',
  wants: 'a number',
  bound: DISTANCE,
  read: (state, rule) => readNumber(state, rule.field),
  holds: (averages, bound) => {
    if (averages.length === 0) return true
    const spread = Math.max(...averages) - Math.min(...averages)
    return spread <= bound + ROUNDING
  },
})

export const teamDifferenceForm: RuleForm<TeamDifferenceRule> = {
  label: 'team difference',
  asks: 'the averages of the teams are at most so far apart',
  reads: NUMBERS,
  sample: () => 1_500,
}
