import { z } from '@hono/zod-openapi'
import {
  HOST_LEAVE_BEHAVIORS,
  INVITE_CHARSETS,
  type InviteCharset,
  LOBBY_PLAYERS,
  QUEUE_ID_PATTERN,
  type Queue,
  SECONDS,
} from '@matchyard/core'
import { matchmakingBody, toMatchmaking, toMatchmakingWire } from './matchmaking'
import { serverSettingsBody, toServerSettings, toServerSettingsWire } from './server-settings'
import { dateTime, iso, name, text, wholeNumber } from './shared'

const charset = z.enum(Object.keys(INVITE_CHARSETS) as [InviteCharset, ...InviteCharset[]])
const seconds = wholeNumber(1, SECONDS.max).openapi({ description: 'Seconds.' })

const inviteCodeConfigBody = z
  .strictObject({
    enabled: z.boolean().optional(),
    length: wholeNumber(4, 32).optional().openapi({ description: 'Counts the random part only.' }),
    charset: charset.optional(),
    prefix: text(0, 16)
      .regex(/^\P{Cc}*$/u, 'must not hold control characters')
      .optional(),
  })
  .openapi('InviteCodeConfig')

const settings = {
  enabled: z.boolean().optional(),
  max_players: wholeNumber(1, LOBBY_PLAYERS.max).optional(),
  timeout: seconds.optional(),
  heartbeat: z.boolean().optional(),
  heartbeat_timeout: seconds.optional(),
  host_leave_behavior: z.enum(HOST_LEAVE_BEHAVIORS).optional(),
  lobby_ttl: seconds.optional(),
  invite_code_config: inviteCodeConfigBody.optional(),
  server_settings: serverSettingsBody.optional(),
  matchmaking: matchmakingBody.optional(),
}

export const createQueueBody = z.strictObject({
  queue_id: z.string().regex(QUEUE_ID_PATTERN, `must match ${QUEUE_ID_PATTERN.source}`),
  name,
  ...settings,
})

export const updateQueueBody = z.strictObject({ name: name.optional(), ...settings })

/** The settings of a create or a change, in core's words; what was left out stays undefined. */
export const toQueueSettings = (body: z.output<typeof updateQueueBody>) => ({
  enabled: body.enabled,
  maxPlayers: body.max_players,
  timeoutSeconds: body.timeout,
  heartbeat: body.heartbeat,
  heartbeatTimeoutSeconds: body.heartbeat_timeout,
  hostLeaveBehavior: body.host_leave_behavior,
  lobbyTtlSeconds: body.lobby_ttl,
  inviteCodeConfig: body.invite_code_config && given(body.invite_code_config),
  serverSettings: body.server_settings && toServerSettings(body.server_settings),
  matchmaking: body.matchmaking && toMatchmaking(body.matchmaking),
})

// An undefined sub-field must not hide its default.
const given = (config: z.output<typeof inviteCodeConfigBody>) => ({
  ...(config.enabled === undefined ? {} : { enabled: config.enabled }),
  ...(config.length === undefined ? {} : { length: config.length }),
  ...(config.charset === undefined ? {} : { charset: config.charset }),
  ...(config.prefix === undefined ? {} : { prefix: config.prefix }),
})

export const queueSchema = z
  .object({
    queue_id: z.string(),
    name: z.string(),
    enabled: z.boolean(),
    max_players: z.int(),
    timeout: z.int(),
    heartbeat: z.boolean(),
    heartbeat_timeout: z.int(),
    host_leave_behavior: z.enum(HOST_LEAVE_BEHAVIORS),
    lobby_ttl: z.int(),
    invite_code_config: z.object({ enabled: z.boolean(), length: z.int(), charset, prefix: z.string() }),
    server_settings: serverSettingsBody.optional(),
    matchmaking: matchmakingBody.optional(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .openapi('Queue')

export const toQueueWire = (queue: Queue) => ({
  queue_id: queue.queueId,
  name: queue.name,
  enabled: queue.enabled,
  max_players: queue.maxPlayers,
  timeout: queue.timeoutSeconds,
  heartbeat: queue.heartbeat,
  heartbeat_timeout: queue.heartbeatTimeoutSeconds,
  host_leave_behavior: queue.hostLeaveBehavior,
  lobby_ttl: queue.lobbyTtlSeconds,
  invite_code_config: {
    enabled: queue.inviteCodeConfig.enabled,
    length: queue.inviteCodeConfig.length,
    charset: queue.inviteCodeConfig.charset,
    prefix: queue.inviteCodeConfig.prefix,
  },
  ...(queue.serverSettings === null ? {} : { server_settings: toServerSettingsWire(queue.serverSettings) }),
  ...(queue.matchmaking === null ? {} : { matchmaking: toMatchmakingWire(queue.matchmaking) }),
  created_at: iso(queue.createdAt),
  updated_at: iso(queue.updatedAt),
})
