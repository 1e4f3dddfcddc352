import { validateConfig } from '@matchyard/matchmaking'
import { FORBIDDEN_KEYS, freeFormFault } from '../catalog/free-form'
import {
  BACKFILL_SECONDS,
  BUILD_VERSION,
  INVITE_PREFIX_LENGTH,
  INVITE_RANDOM_LENGTH,
  LOBBY_PLAYERS,
  MAX_TRUSTED_FIELDS,
  PENALTY_SECONDS,
  QUEUE_ID_PATTERN,
  type Range,
  READY_CHECK_SECONDS,
  RULE_FIELD_LENGTH,
  SECONDS,
  TTL_SECONDS,
  WARM_BUFFER,
  WARM_MIN,
} from '../catalog/limits'
import { nameFault, UNSEEN_RULE } from '../catalog/names'
import type { ValidationIssue } from '../errors/service-error'
import { portFaults } from '../server/ports'
import { READINESS } from '../server/readiness'
import { namesInArguments, startupArgsFaults } from '../server/startup-args'
import { isWellFormed } from '../shared/json'
import { holdsUnseen } from '../shared/plain-text'
import type { InviteCodeConfig } from './invite-code'
import {
  BACKFILL_PRIORITIES,
  matchTtlOf,
  type Queue,
  type QueueMatchmaking,
  SERVER_SOURCES,
  type ServerSettings,
  trustedFieldsOf,
  WARM_DEFAULTS,
} from './queue'

/** What is wrong with a queue's settings (specification, "Queue"; docs/http-api.md §5); empty when it can be kept. */
export function queueFaults(queue: Queue): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  if (!QUEUE_ID_PATTERN.test(queue.queueId))
    issues.push({ path: 'queueId', message: `must match ${QUEUE_ID_PATTERN.source}` })
  const name = nameFault(queue.name)
  if (name !== undefined) issues.push({ path: 'name', message: name })
  inRange(issues, 'maxPlayers', queue.maxPlayers, LOBBY_PLAYERS)
  inRange(issues, 'timeoutSeconds', queue.timeoutSeconds, SECONDS)
  inRange(issues, 'heartbeatTimeoutSeconds', queue.heartbeatTimeoutSeconds, SECONDS)
  inRange(issues, 'lobbyTtlSeconds', queue.lobbyTtlSeconds, SECONDS)
  const matchTtl = matchTtlOf(queue)
  if (matchTtl !== null) inRange(issues, 'matchTtlSeconds', matchTtl, SECONDS)
  issues.push(...inviteFaults(queue.inviteCodeConfig))
  if (queue.serverSettings !== null) issues.push(...serverSettingsFaults(queue.serverSettings))
  if (queue.matchmaking !== null) issues.push(...matchmakingFaults(queue.matchmaking))
  issues.push(...trustedFaults(trustedFieldsOf(queue)))
  return issues
}

function trustedFaults(fields: readonly string[]): ValidationIssue[] {
  const { min, max } = RULE_FIELD_LENGTH
  if (fields.length > MAX_TRUSTED_FIELDS) {
    return [{ path: 'trustedFields', message: `must be at most ${MAX_TRUSTED_FIELDS} fields` }]
  }
  return fields.flatMap((field, index) => {
    const path = `trustedFields.${index}`
    if (!within(RULE_FIELD_LENGTH, [...field].length)) return [{ path, message: `must be ${min} to ${max} characters` }]
    if (FORBIDDEN_KEYS.has(field) || !isWellFormed(field)) return [{ path, message: 'can be no field of a state' }]
    return fields.indexOf(field) < index ? [{ path, message: 'is named twice' }] : []
  })
}

const within = ({ min, max }: Range, value: number) => value >= min && value <= max

function inRange(issues: ValidationIssue[], path: string, value: number, range: Range): void {
  if (!Number.isInteger(value) || !within(range, value)) {
    issues.push({ path, message: `must be a whole number from ${range.min} to ${range.max}` })
  }
}

function oneOf(issues: ValidationIssue[], path: string, value: string | undefined, words: readonly string[]): void {
  if (value !== undefined && !words.includes(value))
    issues.push({ path, message: `must be one of ${words.join(', ')}` })
}

function inviteFaults(config: InviteCodeConfig): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  inRange(issues, 'inviteCodeConfig.length', config.length, INVITE_RANDOM_LENGTH)
  if ([...config.prefix].length > INVITE_PREFIX_LENGTH.max)
    issues.push({ path: 'inviteCodeConfig.prefix', message: `must be at most ${INVITE_PREFIX_LENGTH.max} characters` })
  if (holdsUnseen(config.prefix)) issues.push({ path: 'inviteCodeConfig.prefix', message: UNSEEN_RULE })
  return issues
}

function serverSettingsFaults(settings: ServerSettings): ValidationIssue[] {
  const issues = portFaults(settings.networkPorts ?? [], 'serverSettings.networkPorts')
  oneOf(issues, 'serverSettings.source', settings.source, SERVER_SOURCES)
  oneOf(issues, 'serverSettings.readiness', settings.readiness, READINESS)
  if (settings.ttl !== undefined) inRange(issues, 'serverSettings.ttl', settings.ttl, TTL_SECONDS)
  if (settings.startupArgs !== undefined) {
    issues.push(...startupArgsFaults(settings.startupArgs, settings.networkPorts ?? [], 'serverSettings.startupArgs'))
  }
  if (settings.version !== undefined && settings.version !== null) {
    inRange(issues, 'serverSettings.version', settings.version, BUILD_VERSION)
    if (settings.versionTag === undefined)
      issues.push({
        path: 'serverSettings.version',
        message: 'is a version of a build, and no build is named beside it',
      })
  }
  issues.push(...warmFaults(settings))
  const fault = settings.customData === undefined ? undefined : freeFormFault(settings.customData)
  if (fault !== undefined) issues.push({ path: 'serverSettings.customData', message: fault })
  return issues
}

/** What a server is told only when it is given to a match. */
const KNOWN_LATER = ['INSTANCE_ID', 'MATCH_ID']

function warmFaults({ warm, startupArgs = '' }: ServerSettings): ValidationIssue[] {
  if (warm === undefined) return []
  const issues: ValidationIssue[] = []
  inRange(issues, 'serverSettings.warm.min', warm.min ?? WARM_DEFAULTS.min, WARM_MIN)
  inRange(issues, 'serverSettings.warm.buffer', warm.buffer ?? WARM_DEFAULTS.buffer, WARM_BUFFER)
  for (const name of namesInArguments(startupArgs).filter((one) => KNOWN_LATER.includes(one))) {
    const message = `names \${${name}}, which a server that waits for its match is not started with; it is in its file`
    issues.push({ path: 'serverSettings.startupArgs', message })
  }
  return issues
}

function matchmakingFaults({
  timeoutSeconds,
  readyCheck,
  backfill = {},
  ...config
}: QueueMatchmaking): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  const { priority, timeoutSeconds: backfillSeconds } = backfill
  oneOf(issues, 'matchmaking.backfill.priority', priority, BACKFILL_PRIORITIES)
  if (backfillSeconds !== undefined)
    inRange(issues, 'matchmaking.backfill.timeoutSeconds', backfillSeconds, BACKFILL_SECONDS)
  if (timeoutSeconds !== undefined) inRange(issues, 'matchmaking.timeoutSeconds', timeoutSeconds, SECONDS)
  if (readyCheck !== undefined) {
    inRange(issues, 'matchmaking.readyCheck.timeoutSeconds', readyCheck.timeoutSeconds, READY_CHECK_SECONDS)
    inRange(issues, 'matchmaking.readyCheck.penaltySeconds', readyCheck.penaltySeconds ?? 0, PENALTY_SECONDS)
  }
  for (const { path, message } of validateConfig(config))
    issues.push({ path: ['matchmaking', ...path].join('.'), message })
  return issues
}
