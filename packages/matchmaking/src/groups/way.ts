import type { Unit } from './unit'

/** One way to search for a match around an anchor. */
export interface Way {
  readonly unit: Unit
  /** Place of the longest-waiting ticket of the match; all other tickets are younger. */
  readonly anchor: number
  /** Level at which the match is judged. */
  readonly level: number
  /** Whether a slot may join, for example only slots with one value of a key; undefined when all may. */
  readonly accepts: ((slot: number) => boolean) | undefined
}
