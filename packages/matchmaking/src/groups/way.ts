import type { Unit } from './unit'

/** One way to look for a match around an anchor. */
export interface Way {
  readonly unit: Unit
  /** The place of the longest-waiting ticket of the match: everyone else in it is younger. */
  readonly anchor: number
  /** The relaxation that the match is judged at. */
  readonly level: number
  /** Narrows the slots that may join, to one value of a key for instance. */
  readonly accepts: ((slot: number) => boolean) | undefined
}
