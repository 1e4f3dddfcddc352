import type { TeamDifferenceRule } from '../types'
import { readNumber } from './read'
import { DISTANCE } from './rule-bound'
import type { RuleForm } from './rule-form'
import { ruleKind } from './rule-kind'
import { NUMBERS } from './value-kind'

/** Tolerance for rounding: averages that are equal in exact arithmetic may differ in their last bits. */
const ROUNDING = 1e-9

/**
 * Rule type `team_difference`: the averages of the teams differ by at most `maxDifference`. A player without the field
 * does not count for the average. A team in which no player has the field is ignored.
 */
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
  asks: 'the averages of the teams differ by at most',
  reads: NUMBERS,
  sample: () => 1_500,
}
