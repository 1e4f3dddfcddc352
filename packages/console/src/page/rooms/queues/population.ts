import { RULE_FORMS } from '@matchyard/matchmaking'
import type { FieldDraw } from '@matchyard/matchmaking/simulation'
import type { Rule } from './draft'
import { fieldOf } from './rules'

/** Generated parties of a comparison. */
export interface Population {
  readonly parties: number
  /** Average number of parties that arrive in a second. */
  readonly perSecond: number
  /** Numeric fields with a distribution of the user's choice, by name. All other fields have the default of their rule. */
  readonly numbers: Readonly<Record<string, { readonly mean: number; readonly deviation: number }>>
}

export const DEFAULT_POPULATION: Population = { parties: 2_000, perSecond: 2, numbers: {} }

/** Returns the distributions from which the fields of generated players are drawn, for all fields that some rules read. */
export function fieldsFor(rules: readonly Rule[], { numbers }: Population): Readonly<Record<string, FieldDraw>> {
  return Object.fromEntries(
    rules.flatMap((rule) => {
      const { reads } = RULE_FORMS[rule.type]
      if (reads === null) return []
      const own = numbers[fieldOf(rule)]
      const draw = own !== undefined && 'normal' in reads.draw ? { ...reads.draw, normal: own } : reads.draw
      return [[fieldOf(rule), draw]]
    }),
  )
}
