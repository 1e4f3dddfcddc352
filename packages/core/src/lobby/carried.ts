import type { RecentPlayer } from '@matchyard/matchmaking'

/** Fields that a stay in the queue keeps while its ticket becomes a proposal or a kept stay, and returns. */
export interface CarriedByStay {
  /**
   * Present when a backend put the lobby into the queue. The backend knows that the players are present, so the lobby never counts as absent.
   */
  readonly vouched?: true
  /**
   * Players whom the players of the lobby met in earlier matches of the queue, for `recent_opponents` rules; absent when the queue has no such
   * rule. The API does not show it.
   */
  readonly recent?: readonly RecentPlayer[]
}

/** Returns a ticket or a proposal without a player among the players met. */
export const withoutMet = <T extends CarriedByStay>(stay: T, playerId: string): T =>
  stay.recent === undefined ? stay : { ...stay, recent: stay.recent.filter((met) => met.playerId !== playerId) }

/** Returns the fields of a ticket or a proposal that belong to the stay, as an object to spread. */
export const carriedOf = ({ vouched, recent }: CarriedByStay = {}): CarriedByStay => ({
  ...(vouched === undefined ? {} : { vouched }),
  ...(recent === undefined ? {} : { recent }),
})
