import type { TicketPlayer } from '../types'

/** A team of a running match, with its open seats. */
export interface OpenTeam {
  readonly name: string
  readonly open: number
  readonly roles: ReadonlyMap<string, number> | undefined
  /**
   * By sum column (a field with averages over teams): the sum of the field over the present players, and the number of
   * players who have the field.
   */
  readonly sums: readonly number[]
  readonly counts: readonly number[]
  /** The present players. */
  readonly players: readonly TicketPlayer[]
}
