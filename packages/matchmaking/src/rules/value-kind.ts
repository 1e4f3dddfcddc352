/** Weight of each key in a random choice: a key with twice the weight is drawn twice as often. */
export type Weights = Readonly<Record<string, number>>

/** The distribution from which a field of a player's state is drawn. */
export type FieldDraw =
  | {
      readonly normal: { readonly mean: number; readonly deviation: number }
      readonly min?: number | undefined
      readonly max?: number | undefined
    }
  | { readonly uniform: { readonly min: number; readonly max: number } }
  /** Draws one of these texts at random, by weight. */
  | { readonly choice: Weights }
  /**
   * Draws some of these texts at random, by weight, each text at most once. `count` holds the weights for the number of
   * texts.
   */
  | { readonly some: Weights; readonly count: Weights }
  | { readonly constant: unknown }

/**
 * A kind of value in players' states, for example a skill. Rules that read the same kind of value can use the same
 * field.
 */
export interface ValueKind {
  /** Usual name of a field that holds such a value. */
  readonly field: string
  /** Distribution from which the field is drawn for generated players. */
  readonly draw: FieldDraw
}

export const NUMBERS: ValueKind = { field: 'mmr', draw: { normal: { mean: 1_500, deviation: 300 }, min: 0 } }
export const VALUES: ValueKind = { field: 'mode', draw: { choice: { a: 3, b: 2, c: 1 } } }
export const TEXTS: ValueKind = {
  field: 'languages',
  draw: { some: { a: 3, b: 2, c: 1 }, count: { 1: 1, 2: 1 } },
}
export const REGION_LISTS: ValueKind = {
  field: 'regions',
  draw: { some: { iad: 5, fra: 4, nrt: 2 }, count: { 1: 2, 2: 1 } },
}
export const PLAYER_LISTS: ValueKind = { field: 'avoid', draw: { constant: [] } }
export const LATENCIES: ValueKind = { field: 'latency', draw: { constant: { iad: 60, fra: 90 } } }
