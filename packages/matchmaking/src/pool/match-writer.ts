import type { Proposal } from '../types'

/** Receives the matches of a tick, part by part, and builds a result of type T. */
export interface MatchWriter<T> {
  /** Begins a tick at `now` (epoch milliseconds). */
  start(now: number): void
  /** Receives matches of `size` single players each: the slots from `from` to `to`, match after match. */
  singles(slots: Int32Array, size: 1 | 2, from: number, to: number): void
  /** Receives the matches from `from` to `to`, each as its slots, longest waiting first. */
  groups(matches: readonly (readonly number[])[], from: number, to: number): void
  /** Receives the fills of requests, once per tick, after all matches. */
  fills(fills: readonly Proposal[]): void
  finish(): T
}
