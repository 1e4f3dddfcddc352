// Exports for property tests and for adapters of the HTTP API: the deciders and events of each aggregate, state tables, and bounds of
// inputs.

export { requireRole } from '../access/role-allows'
export type { Meter } from '../billing/usage-sums'
export { isClaimed } from '../build/decide'
export { BUILD_TRANSITIONS } from '../build/transitions'
export { FORBIDDEN_KEYS, freeFormFault, numberFault } from '../catalog/free-form'
export * from '../catalog/limits'
export { UNSEEN_RULE } from '../catalog/names'
export { limitsOfPlan, SELF_HOSTED_LIMITS } from '../catalog/plans'
export { playerIdFault } from '../catalog/player-id'
export { isServerHost, SERVER_HOST_RULE } from '../catalog/server-host'
export {
  accept,
  cutAt,
  type Decision,
  issuesSentence,
  MAX_ISSUES,
  MAX_TOLD,
  reject,
  rejectInvalid,
} from '../errors/decision'
export { SPOKEN_CALLS, SPOKEN_FIELDS, type SpokenCall } from '../errors/spoken-names'
export { answeredBytes, answeredBytesAtMost } from '../lobby/answered-bytes'
export { asSeenBy } from '../lobby/as-seen'
export { decideBanPlayer, decideUnbanPlayer } from '../lobby/bans'
export { decideCancelMatchmaking, decideEnqueueLobby, decideRemovePlayer, decideStartLobby } from '../lobby/decide'
export type { LobbyEvent } from '../lobby/events'
export { evolveLobby } from '../lobby/evolve'
export { filterFault } from '../lobby/labels'
export { isHost, memberOf } from '../lobby/members'
export { newLobby } from '../lobby/new-lobby'
export { proposalOf } from '../lobby/stay'
export { LOBBY_TRANSITIONS } from '../lobby/transitions'
export { unprovenOf } from '../lobby/trusted-state'
export { isMachineName, neverConnected, takesServers } from '../machine/record'
export { decideCancelBackfill, decideRequestBackfill, type Fill, type Seating, takesNewcomers } from '../match/backfill'
export { decideEndMatch, findMatch, isOn, seatOf, takesPlayers } from '../match/decide'
export { externalServerOf } from '../match/external-server'
export { ERASED } from '../match/match'
export { acceptedOf, expiryOf, isMade, isProposed, makeMatch } from '../match/proposal'
export { requestTicketOf } from '../match/request-ticket'
export { freeSeatsOf, openSeatsOf, seatsOf } from '../match/seats'
export { MATCH_TRANSITIONS } from '../match/transitions'
export { listenersTo } from '../project/project'
export { DEFAULT_BACKFILL_SECONDS } from '../queue/matchmaking'
export { queueVersionId } from '../queue/queue-version'
export { boardCell } from '../rating/board-cell'
export { standingCounters } from '../rating/board-counters'
export { winProbabilities } from '../rating/predict'
export { RATING_DEFAULTS } from '../rating/rating'
export { standingText } from '../rating/standing'
export { NODE_GONE, outlives } from '../server/decide'
export { summaryOf } from '../server/evolve'
export {
  isComingUp,
  isEnding,
  isLive,
  isOwned,
  isRunning,
  isStopping,
  isWaiting,
  MAX_LAUNCH_ATTEMPTS,
  STOP_GRACE_MS,
} from '../server/game-server'
export { newServer } from '../server/new-server'
export { isOlder } from '../server/room'
export { SERVER_TRANSITIONS } from '../server/transitions'
export { changesBetween } from '../shared/changed'
export { isJsonObject, isWellFormed, utf8Length } from '../shared/json'
export { MAX_HINTS, unknownField } from '../shared/known-names'
export { withinBytes } from '../shared/page'
export { holdsUnseen, quoted, shownLines, shownText } from '../shared/plain-text'
export { shownState } from '../shared/shown-state'
export { DAY_MS, HOUR_MS, MINUTE_MS, MONTH_PATTERN, monthOf, SECOND_MS, toIso } from '../shared/time'
export { webhookAsSeenBy } from '../webhook/as-seen'
export { laneOf } from '../worker/lanes'
