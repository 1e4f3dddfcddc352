import { aQueuesHistoryHasNoGap, everyEndedStayIsRecordedOnce } from './arrivals'
import * as bans from './bans'
import * as counted from './counted'
import { countersAreExact } from './counters'
import { aFeedEndsWithTheStore } from './feed'
import type { Invariant } from './invariant'
import { aSeatIsTakenAsItWasKept, noSeatIsGivenTwice, noSeatIsKeptForEver } from './kept-seats'
import * as lobbies from './lobbies'
import * as machines from './machines'
import * as matches from './matches'
import * as meetings from './meetings'
import * as oneMatch from './one-match'
import * as openSeats from './open-seats'
import * as proposals from './proposals'
import * as ratedBoards from './rated-boards'
import * as ratings from './ratings'
import { nobodyIsPutBackTooOften, nobodyLosesAgeToAFailedLaunch } from './requeues'
import { aMatchHasOneResult } from './results'
import * as room from './room'
import * as servers from './servers'
import {
  erasedPlayersAreGone,
  noLobbyIsStuck,
  noProcessIsAnOrphan,
  noProposalIsStuck,
  noSearchOutlivesItsMatch,
  noServerIsAGhost,
  noServerIsStuck,
  noUnprovenValueIsLeft,
  runningServersWereReady,
} from './settled'
import * as trusted from './trusted'
import { secondsAreMeteredOnce } from './usage'
import { noWarmServerIsUnwanted, waitingCostsNothing, warmServersGiveWay, warmServersShareNoPort } from './warm'

export * from './arrivals'
export * from './bans'
export * from './counted'
export { countersAreExact } from './counters'
export { aFeedEndsWithTheStore } from './feed'
export type { Invariant, View } from './invariant'
export * from './kept-seats'
export * from './lobbies'
export * from './machines'
export * from './matches'
export * from './meetings'
export * from './one-match'
export * from './open-seats'
export * from './proposals'
export * from './rated-boards'
export * from './ratings'
export * from './requeues'
export { aMatchHasOneResult } from './results'
export * from './room'
export * from './servers'
export * from './settled'
export * from './trusted'
export * from './usage'
export * from './warm'

/** Invariants that hold after every step. */
export const INVARIANTS: Readonly<Record<string, Invariant>> = {
  ...lobbies,
  ...matches,
  ...meetings,
  ...oneMatch,
  ...openSeats,
  noSeatIsGivenTwice,
  aSeatIsTakenAsItWasKept,
  aMatchHasOneResult,
  ...counted,
  ...ratings,
  ...ratedBoards,
  ...proposals,
  ...servers,
  ...room,
  ...machines,
  ...trusted,
  ...bans,
  warmServersShareNoPort,
  waitingCostsNothing,
  warmServersGiveWay,
  countersAreExact,
  secondsAreMeteredOnce,
  aFeedEndsWithTheStore,
}

/** Invariants that also hold at the end of a run, when no faults occur any more and every timeout has passed. */
export const SETTLED_INVARIANTS: Readonly<Record<string, Invariant>> = {
  noLobbyIsStuck,
  noProposalIsStuck,
  noSearchOutlivesItsMatch,
  noSeatIsKeptForEver,
  noServerIsStuck,
  noProcessIsAnOrphan,
  noServerIsAGhost,
  runningServersWereReady,
  noWarmServerIsUnwanted,
  erasedPlayersAreGone,
  noUnprovenValueIsLeft,
  everyEndedStayIsRecordedOnce,
  aQueuesHistoryHasNoGap,
  nobodyLosesAgeToAFailedLaunch,
  nobodyIsPutBackTooOften,
}
