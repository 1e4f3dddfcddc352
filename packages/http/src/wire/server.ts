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
  longListOf,
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
  version_tag: required('versionTag', buildName, 'The name of the build.'),
  region: optional('region', region, 'Where it runs; `iad` unless said.'),
  tier: optional('tier', tier, 'How large it is: cores and gigabytes; the smallest unless said.'),
  network_ports: optional('networkPorts', rowOf(portRequest), 'The ports that it wants, at most 16.'),
  startup_args: optional('startupArgs', startupArgs),
  readiness: optional('readiness', readiness),
  ttl: optional('ttlSeconds', ttl, 'It is ended after so long; as long as the plan allows unless said.'),
  auto_restart: optional('autoRestart', flag, 'Whether it is started again when its program ends by itself.'),
  custom_data: optional(
    'customData',
    freeForm,
    'For the program: it stands in its configuration file. `{}` unless said.',
  ),
  name: optional('name', name, 'For people to read; drawn unless said.'),
})

const status = oneOf(SERVER_STATUSES)

export const serversQuery = queryOf({
  project_id: projectId,
  status: optional('status', status, 'Only servers in this status.'),
  region: optional('region', region, 'Only servers in this region.'),
  match_id: optional('matchId', word, 'Only the server of this match.'),
  version_tag: optional('versionTag', word, 'Only servers of builds of this name.'),
  ...paging,
})

export const serverLogsQuery = queryOf({
  limit: optional('limit', wholeInQuery(LOG_LINES, DEFAULT_LOG_LINES), 'So many lines at the most: the last ones.'),
  since: optional('since', instantInQuery, 'Only lines that were written at or after this instant.'),
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
    instance_id: required('id', string, 'Its id.'),
    project_id: required('projectId', string, 'The project that it is of.'),
    name: required('name', string, 'For people to read.'),
    status: required('status', status, '`running` is the one that takes players.'),
    status_reason: required(
      'statusReason',
      statusReason,
      '`waiting_for_room`: its launch waits until there is room for it.',
    ),
    region: required('region', region, 'Where it runs.'),
    tier: required('tier', tier, 'How large it is: cores and gigabytes.'),
    version_tag: required('versionTag', string, 'The name of the build that it runs.'),
    build_id: required(
      'buildId',
      nullable(string),
      'The very build; null until it is launched, and where it is your own.',
    ),
    build_version: required('buildVersion', nullable(whole), "The build's version; null as its id is."),
    network_ports: required('networkPorts', listOf(portMapping), 'Where it listens.'),
    startup_args: required('startupArgs', string, 'What its program was started with.'),
    readiness: given('readiness', readiness),
    ttl: required('ttlSeconds', nullable(whole), 'It is ended after so many seconds; null where it may run for ever.'),
    auto_restart: required('autoRestart', flag, 'Whether it is started again when its program ends by itself.'),
    custom_data: required('customData', freeForm, 'For the program: it stands in its configuration file.'),
    match_id: required('matchId', nullable(string), 'The match that is played on it; null where there is none.'),
    node_id: required('nodeId', nullable(node)),
    exit_code: required(
      'exitCode',
      nullable(whole),
      'What its program ended with; null while it runs, and where it was ended.',
    ),
    stop_reason: required('stopReason', nullable(string), 'Why it is over; null while it is not.'),
    restarts: required('restarts', whole, 'So often was it started again.'),
    created_at: required('createdAt', instant, 'When it was made.'),
    running_at: required('runningAt', nullable(instant), 'Since when it takes players; null before.'),
    stopped_at: required('stoppedAt', nullable(instant), 'When it ended; null before.'),
    expires_at: required('expiresAt', nullable(instant), 'When it will be ended; null where it has no `ttl`.'),
    updated_at: required('updatedAt', instant, 'When it changed last.'),
  },
  'Server',
  'A game server.',
)

const logLine = answerOf<ServerLogLine>()({
  timestamp: required('at', instant, 'When.'),
  stream: required('stream', oneOf(['stdout', 'stderr']), 'Where it wrote it.'),
  message: required('message', string, 'The line.'),
})

interface ServerLogs {
  readonly instanceId: string
  readonly lines: readonly ServerLogLine[]
  readonly hasMore: boolean
}

export const serverLogs = answerOf<ServerLogs>()(
  {
    instance_id: required('instanceId', string, 'The server.'),
    logs: required('lines', longListOf(logLine), 'Line by line, the first one first.'),
    has_more: required('hasMore', flag, 'Whether older lines are left out because the answer would be too long.'),
  },
  'ServerLogs',
  'What a game server wrote.',
)
