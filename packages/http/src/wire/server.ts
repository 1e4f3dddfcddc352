import { z } from '@hono/zod-openapi'
import { type GameServer, SERVER_STATUSES, type ServerLogLine } from '@matchyard/core'
import { portMappingSchema } from './lobby'
import { paging, queryInt, word } from './query'
import { buildName, portRequestBody, startupArgs, ttl } from './server-settings'
import { toPortWire } from './server-summary'
import { dateTime, freeForm, iso, isoOrNull, name, region, tier } from './shared'

export const createServerBody = z.strictObject({
  version_tag: buildName,
  region: region.optional(),
  tier: tier.optional(),
  network_ports: z.array(portRequestBody).optional(),
  startup_args: startupArgs.optional(),
  ttl: ttl.optional(),
  auto_restart: z.boolean().optional(),
  custom_data: freeForm.optional(),
  name: name.optional(),
})

export const listServersFilters = {
  status: z.enum(SERVER_STATUSES).optional(),
  region: region.optional(),
  match_id: word.optional(),
  version_tag: word.optional(),
  ...paging,
}

const instant = z
  .string()
  .refine((value) => /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)), 'must be a date-time')
  .transform((value) => Date.parse(value))
  .openapi({ type: 'string', format: 'date-time' })

export const serverLogsQuery = z.object({ limit: queryInt(1, 1_000, 200).optional(), since: instant.optional() })

export const serverSchema = z
  .object({
    instance_id: z.string(),
    project_id: z.string(),
    name: z.string(),
    status: z.enum(SERVER_STATUSES),
    region,
    tier,
    version_tag: z.string(),
    build_id: z.string().nullable(),
    build_version: z.int().nullable(),
    network_ports: z.array(portMappingSchema),
    startup_args: z.string(),
    ttl: z.int().nullable(),
    auto_restart: z.boolean(),
    custom_data: freeForm,
    match_id: z.string().nullable(),
    exit_code: z.int().nullable(),
    stop_reason: z.string().nullable(),
    restarts: z.int(),
    created_at: dateTime,
    running_at: dateTime.nullable(),
    stopped_at: dateTime.nullable(),
    expires_at: dateTime.nullable(),
    updated_at: dateTime,
  })
  .openapi('Server')

export const serverLogsSchema = z
  .object({
    instance_id: z.string(),
    logs: z.array(z.object({ timestamp: dateTime, stream: z.enum(['stdout', 'stderr']), message: z.string() })),
  })
  .openapi('ServerLogs')

export const toServerWire = (server: GameServer) => ({
  instance_id: server.id,
  project_id: server.projectId,
  name: server.name,
  status: server.status,
  region: server.region,
  tier: server.tier,
  version_tag: server.versionTag,
  build_id: server.buildId,
  build_version: server.buildVersion,
  network_ports: server.networkPorts.map(toPortWire),
  startup_args: server.startupArgs,
  ttl: server.ttlSeconds,
  auto_restart: server.autoRestart,
  custom_data: server.customData,
  match_id: server.matchId,
  exit_code: server.exitCode,
  stop_reason: server.stopReason,
  restarts: server.restarts,
  created_at: iso(server.createdAt),
  running_at: isoOrNull(server.runningAt),
  stopped_at: isoOrNull(server.stoppedAt),
  expires_at: isoOrNull(server.expiresAt),
  updated_at: iso(server.updatedAt),
})

export const toServerLogsWire = (instanceId: string, lines: readonly ServerLogLine[]) => ({
  instance_id: instanceId,
  logs: lines.map(({ at, stream, message }) => ({ timestamp: iso(at), stream, message })),
})
