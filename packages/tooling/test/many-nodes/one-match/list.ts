import { banAndMatch } from './ban'
import { leaveAndEnter, startAndEnter, twoQueues } from './races'
import { seatAndBackfill } from './seat'

/** All races for one outcome, with the name of each. */
export const RACES = [
  ['two queues match one player at once', twoQueues],
  ['a player leaves a match and enters a queue at once', leaveAndEnter],
  ['two devices start and enter at once', startAndEnter],
  ['a player is banned and matched at once', banAndMatch],
  ['a seat is kept for a friend and filled at once', seatAndBackfill],
] as const
