import type { MatchRule } from '../types'
import type { BoundName } from './rule-bound'
import type { ValueKind } from './value-kind'

/** A rule type as people see it and fill it in. It stands apart from `RuleKind`, so that a page which plays loads no words. */
export interface RuleForm<R extends MatchRule = MatchRule> {
  readonly label: string
  /** Condition of the rule on the players of one match; the bound completes the sentence. */
  readonly asks: string
  readonly reads: ValueKind
  /** Returns a value of the field by which players suit each other. `drawn` is a number from 0 to 1, for rules whose values differ. */
  sample(rule: R, drawn: number): unknown
}

/** A bound as people see it and fill it in. */
interface BoundForm {
  readonly label: string
  /** Meaning of the bound, for the reference of the interface. */
  readonly words: string
  /** Meaning of the bound in a step; absent where no step relaxes it. */
  readonly stepWords?: string
  /** The bound of a rule that is new. */
  readonly first: number
}

export const BOUND_FORMS: Readonly<Record<BoundName, BoundForm>> = {
  maxDifference: {
    label: 'max difference',
    words: 'The values are at most so far from each other.',
    stepWords: 'From then on the values may be so far from each other.',
    first: 100,
  },
  minOverlap: {
    label: 'min overlap',
    words: 'So many values they must have in common.',
    stepWords: 'From then on so many values must be had in common.',
    first: 1,
  },
  maxMs: {
    label: 'max ms',
    words: 'Nobody is further than so many milliseconds from where it is played.',
    stepWords: 'From then on nobody is further than so many milliseconds from where it is played.',
    first: 100,
  },
  value: { label: 'value', words: 'The bound.', first: 0 },
}
