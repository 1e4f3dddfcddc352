import type { OpenSeats } from './open-seats'

/** A request some parties can join, and those who might, longest waiting first. */
export interface Asker {
  readonly seats: OpenSeats
  /** Where one seat is open, each of them could take it. */
  readonly candidates: readonly number[]
}

/** Parties that join a match, longest waiting first. */
export interface Fill {
  readonly seats: OpenSeats
  readonly slots: readonly number[]
}
