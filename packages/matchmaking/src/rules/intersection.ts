import type { IntersectionRule } from '../types'
import { readStrings } from './read'
import { overlapUpTo } from './rule-bound'
import type { RuleForm } from './rule-form'
import { ruleKind } from './rule-kind'
import { TEXTS } from './value-kind'

const MOST_OVERLAP = 1000

/**
 * Rule type `intersection`: at least `minOverlap` strings are in the lists of all players of a match. Duplicates in a
 * list count once.
 */
export const intersection = ruleKind<IntersectionRule, ReadonlySet<string>>({
  type: 'intersection',
  shape: 'values',
  wants: 'a list of texts',
  bound: overlapUpTo(MOST_OVERLAP),
  read: (state, rule) => {
    const list = readStrings(state, rule.field)
    return list && new Set(list)
  },
  holds: (sets, bound) => {
    const [first, ...others] = sets
    if (!first) return true
    let shared = 0
    for (const item of first) if (others.every((other) => other.has(item))) shared++
    return shared >= bound
  },
})

export const intersectionForm: RuleForm<IntersectionRule> = {
  label: 'intersection',
  asks: 'all share values, at least',
  reads: TEXTS,
  sample: ({ minOverlap = 1 }) => Array.from({ length: minOverlap }, (_, index) => `map-${index + 1}`),
}
