import type { Rating, RatingsSetBody } from '@matchyard/client/admin'

export type Model = Rating['model']

/** Models of a rating with the labels of the console. */
export const MODELS: readonly (readonly [Model, string])[] = [
  ['plackettLuce', 'Plackett-Luce'],
  ['bradleyTerryFull', 'Bradley-Terry, full pairing'],
  ['bradleyTerryPart', 'Bradley-Terry, partial pairing'],
  ['thurstoneMostellerFull', 'Thurstone-Mosteller, full pairing'],
  ['thurstoneMostellerPart', 'Thurstone-Mosteller, partial pairing'],
]

export const modelOf = (model: Model): string => MODELS.find(([id]) => id === model)?.[1] ?? model

/** Settings of a rating as the texts of a form. */
export interface RatingDraft {
  readonly name: string
  readonly model: Model
  readonly mu: string
  readonly sigma: string
  readonly base: string
  readonly per_sigma: string
  readonly placement_matches: string
  readonly beta: string
  readonly tau: string
  readonly limit_sigma: boolean
}

/** Names of the fields of a draft, by which faults of the service find their field. `initial` is a fault of `mu`. */
export const FIELDS = [
  'name',
  'model',
  'mu',
  'sigma',
  'base',
  'per_sigma',
  'placement_matches',
  'beta',
  'tau',
  'initial',
] as const

/** Draft of a new rating. An empty text gives the default of the service. */
export const NEW_RATING: RatingDraft = {
  name: '',
  model: 'plackettLuce',
  mu: '',
  sigma: '',
  base: '',
  per_sigma: '',
  placement_matches: '',
  beta: '',
  tau: '',
  limit_sigma: false,
}

/** Returns a number as the text of a form, with at most six digits. */
const textOf = (value: number): string => `${Number(value.toPrecision(6))}`

/** Returns the draft of the settings that a rating has. */
export const draftOf = ({ name, model, initial, display, params, placement_matches }: Rating): RatingDraft => ({
  name,
  model,
  mu: textOf(initial.mu),
  sigma: textOf(initial.sigma),
  base: textOf(display.base),
  per_sigma: textOf(display.per_sigma),
  placement_matches: textOf(placement_matches),
  beta: textOf(params.beta),
  tau: textOf(params.tau),
  limit_sigma: params.limit_sigma,
})

/**
 * Returns the settings of a draft, in the form in which they are sent to the service. `before` is the rating that they
 * replace: a number whose text was not edited keeps all of its digits.
 */
export const bodyOf = (draft: RatingDraft, before?: Rating): RatingsSetBody => {
  const { initial, display, params } = before ?? {}
  return {
    name: draft.name.trim(),
    model: draft.model,
    initial: numbers({ mu: [draft.mu, initial?.mu], sigma: [draft.sigma, initial?.sigma] }),
    display: numbers({ base: [draft.base, display?.base], per_sigma: [draft.per_sigma, display?.per_sigma] }),
    params: {
      ...numbers({ beta: [draft.beta, params?.beta], tau: [draft.tau, params?.tau] }),
      limit_sigma: draft.limit_sigma,
    },
    ...numbers({ placement_matches: [draft.placement_matches, before?.placement_matches] }),
  }
}

type Texts<K extends string> = Readonly<Record<K, readonly [text: string, before: number | undefined]>>

/**
 * Returns the numbers in the texts, without those of empty texts. A text without a number stays, so that the service
 * refuses it.
 */
function numbers<K extends string>(texts: Texts<K>): { readonly [N in K]?: number } {
  const numberOf = ([text, before]: Texts<K>[K]) => {
    if (before !== undefined && text === textOf(before)) return before
    return Number.isNaN(Number(text)) ? text : Number(text)
  }
  const all = Object.entries<Texts<K>[K]>(texts).filter(([, [text]]) => text.trim() !== '')
  return Object.fromEntries(all.map(([name, one]) => [name, numberOf(one)])) as { readonly [N in K]?: number }
}
