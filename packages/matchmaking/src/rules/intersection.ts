import type { IntersectionRule } from '../types'
import { checkWhole, readStrings } from './read'
import { ruleKind } from './rule-kind'

const MOST_OVERLAP = 1000

/** At least `minOverlap` strings are in every player's list; duplicates count once. */
export const intersection = ruleKind<IntersectionRule, ReadonlySet<string>>({
  type: 'intersection',
  shape: 'values',
  wants: 'a list of texts',
  check: (rule) => checkWhole('minOverlap', rule.minOverlap ?? 1, 1, MOST_OVERLAP),
  read: (state, rule) => {
    const list = readStrings(state, rule.field)
    return list && new Set(list)
  },
  bound: (rule) => rule.minOverlap ?? 1,
  step: (expansion) => expansion.minOverlap,
  loosens: 'down',
  holds: (sets, bound) => {
    const [first, ...others] = sets
    if (!first) return true
    let shared = 0
    for (const item of first) if (others.every((other) => other.has(item))) shared++
    return shared >= bound
  },
})
