// For property tests and for adapters of the wire: what may happen to each aggregate (deciders, what follows from an event, tables of
// states), and the numbers and words that bound what one may ask for.

export type { Meter } from '../billing/usage-sums'
export { isClaimed } from '../build/decide'
export { BUILD_TRANSITIONS } from '../build/transitions'
export { FORBIDDEN_KEYS, freeFormFault, numberFault } from '../catalog/free-form'
export {
  ARRIVAL_LIMIT,
  BACKFILL_SECONDS,
  BUILD_NAME_PATTERN,
  BUILD_VERSION,
  CLAIM_LENGTH,
  DEFAULT_LOG_LINES,
  DEFAULT_PAGE_LIMIT,
  EXECUTABLE_PATH_LENGTH,
  IDEMPOTENCY_KEY_LENGTH,
  IMAGE_URL_LENGTH,
  INVITE_CODE_LENGTH,
  INVITE_PREFIX_LENGTH,
  INVITE_RANDOM_LENGTH,
  ISSUER_LENGTH,
  JWKS_URL_LENGTH,
  KEY_LIFETIME_SECONDS,
  LOBBY_PLAYERS,
  LOG_LINES,
  MAX_BODY_BYTES,
  MAX_BODY_DEPTH,
  MAX_EMAIL_TEXT,
  MAX_FREE_FORM_BYTES,
  MAX_FREE_FORM_DEPTH,
  MAX_ISSUERS,
  MAX_KEYS,
  MAX_LIST_BYTES,
  MAX_LOBBY_BANS,
  MAX_PARAM_UNITS,
  MAX_TRUSTED_FIELDS,
  NAME_LENGTH,
  ONE_TIME_CODE_LENGTH,
  PAGE_LIMIT,
  PARTIAL_AFTER_SECONDS,
  PASSWORD_LENGTH,
  PAYMENT_TOKEN_LENGTH,
  PENALTY_SECONDS,
  PLAYER_ID_LENGTH,
  POLL_SECONDS,
  PORT_NAME_LENGTH,
  PORT_NUMBER,
  PROJECT_LOBBIES_LIMIT,
  PROJECT_NAME_LENGTH,
  QUEUE_ID_PATTERN,
  type Range,
  READY_CHECK_SECONDS,
  RULE_FIELD_LENGTH,
  SEARCHED_SETTINGS,
  SECONDS,
  SERVER_HOST_LENGTH,
  STARTUP_ARGS_LENGTH,
  TTL_SECONDS,
  WARM_BUFFER,
  WARM_MIN,
  WEBHOOK_DESCRIPTION_LENGTH,
  WEBHOOK_URL_LENGTH,
  WORD_PATTERN,
  WORD_RULE,
} from '../catalog/limits'
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
export { answeredBytes, answeredBytesAtMost } from '../lobby/answered-bytes'
export { banPlayer, unbanPlayer } from '../lobby/bans'
export { cancelMatchmaking, enqueueLobby, removePlayer, startLobby } from '../lobby/decide'
export type { LobbyEvent } from '../lobby/events'
export { evolveLobby } from '../lobby/evolve'
export { filterFault } from '../lobby/labels'
export { isHost, memberOf } from '../lobby/members'
export { newLobby } from '../lobby/new-lobby'
export { proposalOf } from '../lobby/stay'
export { LOBBY_TRANSITIONS } from '../lobby/transitions'
export { unprovenOf } from '../lobby/trusted-state'
export { cancelBackfill, type Fill, requestBackfill, type Seating, takesNewcomers } from '../match/backfill'
export { endMatch, findMatch, isOn, seatOf, takesPlayers } from '../match/decide'
export { externalServerOf } from '../match/external-server'
export { ERASED } from '../match/match'
export { acceptedOf, expiryOf, isMade, isProposed, makeMatch } from '../match/proposal'
export { requestTicketOf } from '../match/request-ticket'
export { openSeatsOf, seatsOf } from '../match/seats'
export { MATCH_TRANSITIONS } from '../match/transitions'
export { listenersTo } from '../project/project'
export { DEFAULT_BACKFILL_SECONDS } from '../queue/queue'
export { queueVersionId } from '../queue/queue-version'
export { outlives } from '../server/decide'
export { summaryOf } from '../server/evolve'
export {
  isComingUp,
  isEnding,
  isLive,
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
export { DAY_MS, HOUR_MS, MINUTE_MS, MONTH_PATTERN, monthOf, SECOND_MS, toIso } from '../shared/time'
export { laneOf } from '../worker/lanes'
