import type { OpenSeats } from './open-seats'

/** A request that some parties can join, with the candidates for its seats, longest waiting first. */
export interface Asker {
  readonly seats: OpenSeats
  /** Slots of the candidates. Where one seat is open, each candidate can take it. */
  readonly candidates: readonly number[]
}

/** Parties that join a match, longest waiting first. */
export interface Fill {
  readonly seats: OpenSeats
  readonly slots: readonly number[]
}
