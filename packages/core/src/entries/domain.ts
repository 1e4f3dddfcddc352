// For property tests and for adapters of the wire: what may happen to each aggregate (deciders, what follows from an event, tables of
// states), and the numbers and words that bound what one may ask for.

export { type CardOnFile, checkUpgrade, downgradePlan, endPeriod, upgradePlan } from '../billing/decide'
export { evolveBilling } from '../billing/evolve'
export { type MeteredServer, type UsageInput, usageOf } from '../billing/usage'
export { type Meter, type MeteredInterval, secondsStartingIn } from '../billing/usage-sums'
export * from '../build/decide'
export { evolveBuild, evolveBuildAll } from '../build/evolve'
export { BUILD_TRANSITIONS } from '../build/transitions'
export * from '../catalog/free-form'
export * from '../catalog/limits'
export { nameFault, UNSEEN_RULE } from '../catalog/names'
export { isMetered, limitsOfPlan, monthlyCredit, planRank, SELF_HOSTED_LIMITS } from '../catalog/plans'
export { playerIdFault } from '../catalog/player-id'
export { isServerHost, SERVER_HOST_RULE } from '../catalog/server-host'
export { LARGEST_TIER, tierWithin } from '../catalog/tiers'
export {
  accept,
  cutAt,
  type Decision,
  issuesSentence,
  MAX_ISSUES,
  MAX_TOLD,
  type Rejection,
  reject,
  rejectInvalid,
} from '../errors/decision'
export { answeredBytes, answeredBytesAtMost } from '../lobby/answered-bytes'
export { banPlayer, unbanPlayer } from '../lobby/bans'
export {
  cancelMatchmaking,
  changePlayerState,
  changeSettings,
  deleteLobby,
  departFromLobby,
  endGame,
  enqueueLobby,
  joinLobby,
  leaveQueue,
  matchLobby,
  removePlayer,
  startLobby,
} from '../lobby/decide'
export type { LobbyEvent } from '../lobby/events'
export { evolveLobby, evolveLobbyAll } from '../lobby/evolve'
export { beginGame, leaveGame, showServer } from '../lobby/in-match'
export * from '../lobby/in-proposal'
export { filterFault } from '../lobby/labels'
export { isHost, memberOf } from '../lobby/members'
export { type LobbyDesign, newLobby } from '../lobby/new-lobby'
export { isHeldBy, proposalOf } from '../lobby/stay'
export { LOBBY_TRANSITIONS, type LobbyTrigger } from '../lobby/transitions'
export { dropUnproven, type StateSource, unprovenOf, writtenState } from '../lobby/trusted-state'
export {
  askForAll,
  cancelBackfill,
  closeMatch,
  expireBackfill,
  type Fill,
  fillMatch,
  requestBackfill,
  type Seating,
  takesNewcomers,
} from '../match/backfill'
export * from '../match/decide'
export type { MatchEvent } from '../match/events'
export { evolveMatch, evolveMatchAll } from '../match/evolve'
export { externalServerOf } from '../match/external-server'
export { ERASED } from '../match/match'
export * from '../match/proposal'
export { requestTicketOf } from '../match/request-ticket'
export { openSeatsOf, seatsOf } from '../match/seats'
export { MATCH_TRANSITIONS, type MatchTrigger } from '../match/transitions'
export { listenersTo } from '../project/project'
export { queueFaults } from '../queue/faults'
export { drawInviteCode, normaliseInviteCode } from '../queue/invite-code'
export { DEFAULT_BACKFILL_SECONDS } from '../queue/queue'
export { queueVersionId } from '../queue/queue-version'
export * from '../server/decide'
export type { ServerEvent } from '../server/events'
export { evolveServer, evolveServerAll, summaryOf } from '../server/evolve'
export {
  HEALTHY_AFTER_MS,
  isComingUp,
  isEnding,
  isLaunching,
  isLive,
  isRunning,
  isStopping,
  isWaiting,
  MAX_CRASHES_IN_A_ROW,
  MAX_LAUNCH_ATTEMPTS,
  restartBackoffMs,
  STOP_GRACE_MS,
} from '../server/game-server'
export { attemptLaunch, becomeReady, declareReady, failLaunch, giveUpAttempt } from '../server/launch'
export { newServer, type ServerDesign } from '../server/new-server'
export { isOlder } from '../server/room'
export { SERVER_TRANSITIONS, type ServerTrigger } from '../server/transitions'
export { changesBetween } from '../shared/changed'
export { byteSize, isJsonObject, isWellFormed, jsonEqual, utf8Length } from '../shared/json'
export { MAX_HINTS, unknownField } from '../shared/known-names'
export { withinBytes } from '../shared/page'
export { holdsUnseen, quoted, shownLines, shownText } from '../shared/plain-text'
export { DAY_MS, HOUR_MS, MINUTE_MS, MONTH_PATTERN, monthBounds, monthOf, SECOND_MS, toIso } from '../shared/time'
export { laneOf } from '../worker/lanes'
