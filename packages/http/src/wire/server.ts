import { z } from '@hono/zod-openapi'
import { type GameServer, SERVER_STATUS_REASONS, SERVER_STATUSES } from '@matchyard/core'
import { DEFAULT_LOG_LINES, LOG_LINES } from '@matchyard/core/domain'
import type { ServerLogLine } from '@matchyard/core/ports'
import { buildName } from './build'
import {
  type AnswerCodec,
  answerOf,
  bodyOf,
  given,
  instant,
  listOf,
  nullable,
  optional,
  queryOf,
  required,
  rowOf,
} from './codec/index'
import { instantInQuery, paging, projectId, wholeInQuery, word } from './query'
import { portRequest, readiness, startupArgs, ttl } from './server-settings'
import { portMapping } from './server-summary'
import { flag, freeForm, name, oneOf, region, string, tier, whole } from './shared'

export const newServer = bodyOf({
  version_tag: required('versionTag', buildName),
  region: optional('region', region),
  tier: optional('tier', tier),
  network_ports: optional('networkPorts', rowOf(portRequest)),
  startup_args: optional('startupArgs', startupArgs),
  readiness: optional('readiness', readiness),
  ttl: optional('ttlSeconds', ttl),
  auto_restart: optional('autoRestart', flag),
  custom_data: optional('customData', freeForm),
  name: optional('name', name),
})

const status = oneOf(SERVER_STATUSES)

export const serversQuery = queryOf({
  project_id: projectId,
  status: optional('status', status),
  region: optional('region', region),
  match_id: optional('matchId', word),
  version_tag: optional('versionTag', word),
  ...paging,
})

export const serverLogsQuery = queryOf({
  limit: optional('limit', wholeInQuery(LOG_LINES, DEFAULT_LOG_LINES)),
  since: optional('since', instantInQuery),
})

/** Rows from before have none. */
const statusReason: AnswerCodec<
  GameServer['statusReason'],
  z.ZodNullable<z.ZodEnum<{ waiting_for_room: 'waiting_for_room' }>>
> = {
  answer: z.enum(SERVER_STATUS_REASONS).nullable(),
  encode: (reason) => reason ?? null,
}

const node: AnswerCodec<string, z.ZodString> = {
  answer: z
    .string()
    .openapi({ description: 'The node of the service on which it runs, or ran last; null before its first launch.' }),
  encode: (id) => id,
}

export const server = answerOf<GameServer>()(
  {
    instance_id: required('id', string),
    project_id: required('projectId', string),
    name: required('name', string),
    status: required('status', status),
    status_reason: required('statusReason', statusReason),
    region: required('region', region),
    tier: required('tier', tier),
    version_tag: required('versionTag', string),
    build_id: required('buildId', nullable(string)),
    build_version: required('buildVersion', nullable(whole)),
    network_ports: required('networkPorts', listOf(portMapping)),
    startup_args: required('startupArgs', string),
    readiness: given('readiness', readiness),
    ttl: required('ttlSeconds', nullable(whole)),
    auto_restart: required('autoRestart', flag),
    custom_data: required('customData', freeForm),
    match_id: required('matchId', nullable(string)),
    node_id: required('nodeId', nullable(node)),
    exit_code: required('exitCode', nullable(whole)),
    stop_reason: required('stopReason', nullable(string)),
    restarts: required('restarts', whole),
    created_at: required('createdAt', instant),
    running_at: required('runningAt', nullable(instant)),
    stopped_at: required('stoppedAt', nullable(instant)),
    expires_at: required('expiresAt', nullable(instant)),
    updated_at: required('updatedAt', instant),
  },
  'Server',
)

const logLine = answerOf<ServerLogLine>()({
  timestamp: required('at', instant),
  stream: required('stream', oneOf(['stdout', 'stderr'])),
  message: required('message', string),
})

interface ServerLogs {
  readonly instanceId: string
  readonly lines: readonly ServerLogLine[]
}

export const serverLogs = answerOf<ServerLogs>()(
  { instance_id: required('instanceId', string), logs: required('lines', listOf(logLine)) },
  'ServerLogs',
)
