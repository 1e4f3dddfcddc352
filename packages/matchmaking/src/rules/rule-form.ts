import type { MatchRule } from '../types'
import type { BoundName } from './rule-bound'
import type { ValueKind } from './value-kind'

/**
 * The texts with which forms and documents show a rule type to people. They are separate from `RuleKind`, so that a
 * page that only runs the engine does not load these texts.
 */
export interface RuleForm<R extends MatchRule = MatchRule> {
  readonly label: string
  /** The condition on the players of a match, as the beginning of a sentence; the bound completes the sentence. */
  readonly asks: string
  /** Kind of value in the rule's field; null for a rule that reads no field. */
  readonly reads: ValueKind | null
  /**
   * Returns a sample value of the rule's field. Players with sample values fit each other. `drawn` is a random number
   * from 0 to 1, for rules under which the values of the players must differ.
   */
  sample(rule: R, drawn: number): unknown
}

/** The texts with which forms and documents show a bound to people. */
interface BoundForm {
  readonly label: string
  /** Meaning of the bound, for the reference of the HTTP API. */
  readonly words: string
  /** Meaning of the bound in an expansion step; absent where no step sets the bound. */
  readonly stepWords?: string
  /** Bound that a form suggests for a new rule of this type. */
  readonly first: number
}

export const BOUND_FORMS: Readonly<Record<BoundName, BoundForm>> = {
  maxDifference: {
    label: 'max difference',
    words: 'Maximum difference of the values.',
    stepWords: 'Maximum difference of the values from then on.',
    first: 100,
  },
  minOverlap: {
    label: 'min overlap',
    words: 'Number of values that the players must have in common.',
    stepWords: 'Number of common values from then on.',
    first: 1,
  },
  maxMs: {
    label: 'max ms',
    words: "Maximum latency of each player to the match's region, in milliseconds.",
    stepWords: 'Maximum latency in milliseconds from then on.',
    first: 100,
  },
  seconds: {
    label: 'seconds',
    words: 'Seconds after the beginning of a match in which its players do not meet again.',
    stepWords: 'Seconds from then on.',
    first: 600,
  },
  value: { label: 'value', words: 'Bound of the rule.', first: 0 },
}
