import type { TeamDifferenceRule } from '../types'
import { checkBound, readNumber } from './read'
import { ruleKind } from './rule-kind'

/** Averages of floats that are equal on paper may differ in the last bits. */
const ROUNDING = 1e-9

/** The averages of the teams (over those who have the field; a team with none is ignored) differ by at most `maxDifference`. */
export const teamDifference = ruleKind<TeamDifferenceRule, number>({
  type: 'team_difference',
  shape: 'teams',
  wants: 'a number',
  check: (rule) => checkBound('maxDifference', rule.maxDifference, 0),
  read: (state, rule) => readNumber(state, rule.field),
  bound: (rule) => rule.maxDifference,
  step: (expansion) => expansion.maxDifference,
  loosens: 'up',
  holds: (averages, bound) => {
    if (averages.length === 0) return true
    const spread = Math.max(...averages) - Math.min(...averages)
    return spread <= bound + ROUNDING
  },
})
