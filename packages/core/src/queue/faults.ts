import { FORBIDDEN_KEYS } from '../catalog/free-form'
import {
  IN_GAME_HEARTBEAT_SECONDS,
  INVITE_PREFIX_LENGTH,
  INVITE_RANDOM_LENGTH,
  LEAVER_PENALTY_SECONDS,
  LOBBY_PLAYERS,
  MAX_TRUSTED_FIELDS,
  PRESENCE_TIMEOUT_SECONDS,
  QUEUE_ID_PATTERN,
  RULE_FIELD_LENGTH,
  SECONDS,
} from '../catalog/limits'
import { nameFault, UNSEEN_RULE } from '../catalog/names'
import type { ValidationIssue } from '../errors/decision'
import { isWellFormed } from '../shared/json'
import { unknownFields } from '../shared/known-names'
import { holdsUnseen } from '../shared/plain-text'
import { DEFAULT_INVITE_CODE_CONFIG, type InviteCodeConfig } from './invite-code'
import { BACKFILL_JUDGES, MATCHMAKING_SETTINGS, matchmakingFaults, READY_CHECK_JUDGES } from './matchmaking'
import type { Queue, QueueConfig, QueueSettings } from './queue'
import { unknownRuleFields } from './rule-names'
import { SERVER_JUDGES, WARM_JUDGES } from './server-settings'
import {
  anything,
  type Judge,
  type JudgesOf,
  optional,
  orNull,
  settingFaults,
  settings,
  wholeIn,
  withinRange,
} from './setting'

/** Returns the faults of a queue's settings (specification, "Queue"; docs/http-api.md §5); empty when they are valid. */
export const queueFaults = (queue: Queue): ValidationIssue[] => [
  ...(QUEUE_ID_PATTERN.test(queue.queueId)
    ? []
    : [{ path: 'queueId', message: `must match ${QUEUE_ID_PATTERN.source}` }]),
  ...settingFaults<QueueConfig>(queue, QUEUE_JUDGES),
]

const nameFaults: Judge<string, unknown> = (name, path) => {
  const fault = nameFault(name)
  return fault === undefined ? [] : [{ path, message: fault }]
}

const trustedFaults: Judge<readonly string[], unknown> = (fields, path) => {
  const { min, max } = RULE_FIELD_LENGTH
  if (fields.length > MAX_TRUSTED_FIELDS) return [{ path, message: `must have at most ${MAX_TRUSTED_FIELDS} fields` }]
  return fields.flatMap((field, index) => {
    const at = `${path}.${index}`
    if (!withinRange(RULE_FIELD_LENGTH, [...field].length))
      return [{ path: at, message: `must be ${min} to ${max} characters long` }]
    if (FORBIDDEN_KEYS.has(field) || !isWellFormed(field))
      return [{ path: at, message: 'is not allowed as a field of a player state' }]
    return fields.indexOf(field) < index ? [{ path: at, message: 'appears twice' }] : []
  })
}

const ratingFaults: Judge<string, unknown> = (rating, path) =>
  typeof rating === 'string' && QUEUE_ID_PATTERN.test(rating)
    ? []
    : [{ path, message: `must match ${QUEUE_ID_PATTERN.source}` }]

/** Rules read the field like any field of a player's state, so it has the same names as a trusted field. */
const ratingFieldFaults: Judge<string, unknown> = (field, path) =>
  typeof field === 'string'
    ? trustedFaults([field], path, undefined).map(({ message }) => ({ path, message }))
    : [{ path, message: 'must be a text' }]

const prefixFaults: Judge<string, unknown> = (prefix, path) => {
  const { max } = INVITE_PREFIX_LENGTH
  return [
    ...([...prefix].length > max ? [{ path, message: `must be at most ${max} characters long` }] : []),
    ...(holdsUnseen(prefix) ? [{ path, message: UNSEEN_RULE }] : []),
  ]
}

const INVITE_JUDGES: JudgesOf<InviteCodeConfig> = {
  enabled: anything,
  charset: anything,
  length: wholeIn(INVITE_RANDOM_LENGTH),
  prefix: prefixFaults,
}

/** Functions that check the settings of a queue, in the order of the reported faults. */
const QUEUE_JUDGES: JudgesOf<QueueConfig> = {
  enabled: anything,
  heartbeat: anything,
  hostLeaveBehavior: anything,
  concurrentMatches: anything,
  name: nameFaults,
  maxPlayers: wholeIn(LOBBY_PLAYERS),
  timeoutSeconds: wholeIn(SECONDS),
  heartbeatTimeoutSeconds: wholeIn(SECONDS),
  lobbyTtlSeconds: wholeIn(SECONDS),
  matchTtlSeconds: orNull(wholeIn(SECONDS)),
  presenceTimeoutSeconds: wholeIn(PRESENCE_TIMEOUT_SECONDS),
  inGameHeartbeatTimeoutSeconds: orNull(wholeIn(IN_GAME_HEARTBEAT_SECONDS)),
  leaverPenaltySeconds: wholeIn(LEAVER_PENALTY_SECONDS),
  requeueOnFailure: anything,
  inviteCodeConfig: settings(INVITE_JUDGES),
  serverSettings: orNull(settings(SERVER_JUDGES)),
  matchmaking: orNull(matchmakingFaults),
  rating: orNull(ratingFaults),
  ratingField: optional(ratingFieldFaults),
  ratedStarts: anything,
  trustedFields: orNull(trustedFaults),
}

/**
 * Returns the faults of unknown settings, when an embedding application sends them: a misspelled setting must not be ignored. For calls
 * over HTTP, the parser of the HTTP API has refused unknown settings before.
 */
export const unknownSettings = (given: QueueSettings): ValidationIssue[] => [
  ...unknownFields(given, Object.keys(QUEUE_JUDGES)),
  ...unknownFields(given.inviteCodeConfig, Object.keys(DEFAULT_INVITE_CODE_CONFIG), 'inviteCodeConfig.'),
  ...unknownFields(given.serverSettings, Object.keys(SERVER_JUDGES), 'serverSettings.'),
  ...unknownFields(given.serverSettings?.warm, Object.keys(WARM_JUDGES), 'serverSettings.warm.'),
  ...unknownFields(given.matchmaking, MATCHMAKING_SETTINGS, 'matchmaking.'),
  ...unknownFields(given.matchmaking?.backfill, Object.keys(BACKFILL_JUDGES), 'matchmaking.backfill.'),
  ...unknownFields(given.matchmaking?.readyCheck, Object.keys(READY_CHECK_JUDGES), 'matchmaking.readyCheck.'),
  ...(Array.isArray(given.matchmaking?.rules) ? unknownRuleFields(given.matchmaking.rules) : []),
]
