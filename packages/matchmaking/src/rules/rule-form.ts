import type { MatchRule } from '../types'
import type { BoundName } from './rule-bound'
import type { ValueKind } from './value-kind'

/**
 * A rule type as forms show it to people. It is separate from `RuleKind`, so that a page that only runs the engine does not load these
 * texts.
 */
export interface RuleForm<R extends MatchRule = MatchRule> {
  readonly label: string
  /** The condition on the players of a match, in words; the bound completes the sentence. */
  readonly asks: string
  readonly reads: ValueKind
  /**
   * Returns a sample value of the field. Players with sample values fit each other. `drawn` is a random number from 0 to 1, for rules that
   * want different values.
   */
  sample(rule: R, drawn: number): unknown
}

/** A bound as forms show it to people. */
interface BoundForm {
  readonly label: string
  /** Meaning of the bound, for the reference of the HTTP API. */
  readonly words: string
  /** Meaning of the bound in a step; absent where no step sets it. */
  readonly stepWords?: string
  /** Bound that a form suggests for a new rule. */
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
