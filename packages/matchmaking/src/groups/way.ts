import type { Unit } from './unit'

/** One way to search for a match around an anchor: at one level, with one value of each key that the anchor lacks. */
export interface Way {
  readonly unit: Unit
  /**
   * Place (position in the unit) of the longest-waiting ticket of the match. All other tickets of the match are
   * younger.
   */
  readonly anchor: number
  /** Level whose bounds apply to the match. */
  readonly level: number
  /**
   * Whether the ticket in a slot may join, for example only tickets with one value of a key; undefined when every
   * ticket may join.
   */
  readonly accepts: ((slot: number) => boolean) | undefined
}
