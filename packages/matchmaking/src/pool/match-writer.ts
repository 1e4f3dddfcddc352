import type { Proposal } from '../types'

/** Receives the matches of a tick in several calls, and builds a result of type T. */
export interface MatchWriter<T> {
  /** Begins a tick at `now` (epoch milliseconds). */
  start(now: number): void
  /**
   * Receives matches of one or two single players. The slots from `from` to `to` are one match after another, `size`
   * slots each.
   */
  singles(slots: Int32Array, size: 1 | 2, from: number, to: number): void
  /**
   * Receives the matches with the indices `from` to `to`. Each match is a list of its slots, the longest wait first.
   */
  groups(matches: readonly (readonly number[])[], from: number, to: number): void
  /** Receives the fills of requests (parties that join running matches), once per tick, after all matches. */
  fills(fills: readonly Proposal[]): void
  finish(): T
}
