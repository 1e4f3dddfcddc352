import type { Proposal } from '../types'

/** Takes down what a tick has matched, a part at a time; T is what comes of it. */
export interface MatchWriter<T> {
  /** Begins a tick at `now` (epoch milliseconds). */
  start(now: number): void
  /** Matches of single players, `size` of them each: the slots from `from` to `to`, one match after the other. */
  singles(slots: Int32Array, size: 1 | 2, from: number, to: number): void
  /** The matches from `from` to `to`, each as its slots, longest waiting first. */
  groups(matches: readonly (readonly number[])[], from: number, to: number): void
  /** Fills of requests, after all matches. */
  fills(fills: readonly Proposal[]): void
  finish(): T
}
