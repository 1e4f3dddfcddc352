import { type GameServer, SERVER_STATUS_REASONS, SERVER_STATUSES } from '@matchyard/core'
import { DEFAULT_LOG_LINES, LOG_LINES } from '@matchyard/core/domain'
import type { ServerLogLine } from '@matchyard/core/ports'
import { buildName } from './build'
import {
  answerOf,
  bodyOf,
  given,
  instant,
  listOf,
  longListOf,
  NAMES_OF,
  nullable,
  optional,
  orNull,
  queryOf,
  required,
  rowOf,
} from './codec/index'
import { instantInQuery, paging, projectId, wholeInQuery, word } from './query'
import { portRequest, readiness, startupArgs, ttl } from './server-settings'
import { portMapping } from './server-summary'
import { flag, freeForm, name, oneOf, region, string, tier, whole } from './shared'

export const newServer = bodyOf({
  versionTag: required(buildName, 'The name of the build.'),
  region: optional(region, 'Where it runs; `iad` unless said.'),
  tier: optional(tier, 'How large it is: cores and gigabytes; the smallest unless said.'),
  networkPorts: optional(rowOf(portRequest), 'The ports that it wants, at most 16.'),
  startupArgs: optional(startupArgs),
  readiness: optional(readiness),
  ttlSeconds: optional(ttl, 'It is ended after so long; as long as the plan allows unless said.'),
  autoRestart: optional(flag, 'Whether it is started again when its program ends by itself.'),
  customData: optional(freeForm, 'For the program: it stands in its configuration file. `{}` unless said.'),
  name: optional(name, 'For people to read; drawn unless said.'),
})

const status = oneOf(SERVER_STATUSES)

export const serversQuery = queryOf({
  projectId,
  status: optional(status, 'Only servers in this status.'),
  region: optional(region, 'Only servers in this region.'),
  matchId: optional(word, 'Only the server of this match.'),
  versionTag: optional(word, 'Only servers of builds of this name.'),
  ...paging,
})

export const serverLogsQuery = queryOf({
  limit: optional(wholeInQuery(LOG_LINES, DEFAULT_LOG_LINES), 'So many lines at the most: the last ones.'),
  since: optional(instantInQuery, 'Only lines that were written at or after this instant.'),
})

export const server = answerOf<GameServer>(NAMES_OF.server)(
  {
    id: required(string, 'Its id.'),
    projectId: required(string, 'The project that it is of.'),
    name: required(string, 'For people to read.'),
    status: required(status, '`running` is the one that takes players.'),
    // Rows from before have none.
    statusReason: required(
      orNull(oneOf(SERVER_STATUS_REASONS)),
      '`waiting_for_room`: its launch waits until there is room for it.',
    ),
    region: required(region, 'Where it runs.'),
    tier: required(tier, 'How large it is: cores and gigabytes.'),
    versionTag: required(string, 'The name of the build that it runs.'),
    buildId: required(nullable(string), 'The very build; null until it is launched, and where it is your own.'),
    buildVersion: required(nullable(whole), "The build's version; null as its id is."),
    networkPorts: required(listOf(portMapping), 'Where it listens.'),
    startupArgs: required(string, 'What its program was started with.'),
    readiness: given(readiness),
    ttlSeconds: required(nullable(whole), 'It is ended after so many seconds; null where it may run for ever.'),
    autoRestart: required(flag, 'Whether it is started again when its program ends by itself.'),
    customData: required(freeForm, 'For the program: it stands in its configuration file.'),
    matchId: required(nullable(string), 'The match that is played on it; null where there is none.'),
    nodeId: required(
      nullable(string),
      'The node of the service on which it runs, or ran last; null before its first launch.',
    ),
    exitCode: required(nullable(whole), 'What its program ended with; null while it runs, and where it was ended.'),
    stopReason: required(nullable(string), 'Why it is over; null while it is not.'),
    restarts: required(whole, 'So often was it started again.'),
    createdAt: required(instant, 'When it was made.'),
    runningAt: required(nullable(instant), 'Since when it takes players; null before.'),
    stoppedAt: required(nullable(instant), 'When it ended; null before.'),
    expiresAt: required(nullable(instant), 'When it will be ended; null where it has no `ttl`.'),
    updatedAt: required(instant, 'When it changed last.'),
  },
  'Server',
  'A game server.',
)

const logLine = answerOf<ServerLogLine>(NAMES_OF.logLine)({
  at: required(instant, 'When.'),
  stream: required(oneOf(['stdout', 'stderr']), 'Where it wrote it.'),
  message: required(string, 'The line.'),
})

interface ServerLogs {
  readonly instanceId: string
  readonly lines: readonly ServerLogLine[]
  readonly hasMore: boolean
}

export const serverLogs = answerOf<ServerLogs>(NAMES_OF.serverLogs)(
  {
    instanceId: required(string, 'The server.'),
    lines: required(longListOf(logLine), 'Line by line, the first one first.'),
    hasMore: required(flag, 'Whether older lines are left out because the answer would be too long.'),
  },
  'ServerLogs',
  'What a game server wrote.',
)
