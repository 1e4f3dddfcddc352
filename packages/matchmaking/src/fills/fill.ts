import type { OpenSeats } from './open-seats'

/**
 * A request for players that at least one party can join, with the candidates for its open seats. The candidate that
 * has waited longest comes first.
 */
export interface Asker {
  readonly seats: OpenSeats
  /** Slots of the candidate parties. Where one seat is open, each candidate can take the seat. */
  readonly candidates: readonly number[]
}

/** The parties that join a running match; the party that has waited longest comes first. */
export interface Fill {
  readonly seats: OpenSeats
  readonly slots: readonly number[]
}
