import { z } from '@hono/zod-openapi'
import {
  HOST_LEAVE_BEHAVIORS,
  INVITE_CHARSETS,
  type InviteCharset,
  type InviteCodeConfig,
  type QueueAnswer,
} from '@matchyard/core'
import {
  INVITE_PREFIX_LENGTH,
  INVITE_RANDOM_LENGTH,
  LOBBY_PLAYERS,
  MAX_TRUSTED_FIELDS,
  QUEUE_ID_PATTERN,
  RULE_FIELD_LENGTH,
} from '@matchyard/core/domain'
import { answerOf, bodyOf, given, instant, listOf, optional, plain, required } from './codec/index'
import { matchmaking } from './matchmaking'
import { serverSettings } from './server-settings'
import { flag, name, oneOf, seconds, string, text, wholeIn } from './shared'

const inviteFields = {
  enabled: optional('enabled', flag),
  length: optional(
    'length',
    plain(wholeIn(INVITE_RANDOM_LENGTH).body.openapi({ description: 'Counts the random part only.' }), z.int()),
  ),
  charset: optional('charset', oneOf(Object.keys(INVITE_CHARSETS) as [InviteCharset, ...InviteCharset[]])),
  prefix: optional(
    'prefix',
    plain(text(INVITE_PREFIX_LENGTH).body.regex(/^\P{Cc}*$/u, 'must not hold control characters'), z.string()),
  ),
}

const inviteCodeConfig = {
  ...bodyOf(inviteFields, 'InviteCodeConfig'),
  ...answerOf<InviteCodeConfig>()(inviteFields),
}

const trustedFields = {
  ...plain(
    z.array(text(RULE_FIELD_LENGTH).body).max(MAX_TRUSTED_FIELDS, `must be at most ${MAX_TRUSTED_FIELDS}`).openapi({
      description:
        'Fields of player states that clients may not write: they come from a player token or from your backend.',
    }),
  ),
  // Told as it is kept, where nobody may change it.
  encode: (fields: readonly string[]) => fields,
}

/** A setting of a queue is one line here, beside its type and its default and faults in the domain. */
const settings = {
  enabled: optional('enabled', flag),
  max_players: optional('maxPlayers', wholeIn(LOBBY_PLAYERS)),
  timeout: optional('timeoutSeconds', seconds),
  heartbeat: optional('heartbeat', flag),
  heartbeat_timeout: optional('heartbeatTimeoutSeconds', seconds),
  host_leave_behavior: optional('hostLeaveBehavior', oneOf(HOST_LEAVE_BEHAVIORS)),
  lobby_ttl: optional('lobbyTtlSeconds', seconds),
  invite_code_config: optional('inviteCodeConfig', inviteCodeConfig),
  server_settings: given('serverSettings', serverSettings),
  matchmaking: given('matchmaking', matchmaking),
  trusted_fields: given('trustedFields', trustedFields),
}

const queueId = plain(z.string().regex(QUEUE_ID_PATTERN, `must match ${QUEUE_ID_PATTERN.source}`), z.string())

export const newQueue = bodyOf({ queue_id: required('queueId', queueId), name: required('name', name), ...settings })

export const queueChanges = bodyOf({ name: optional('name', name), ...settings })

export const queue = answerOf<QueueAnswer>()(
  {
    queue_id: required('queueId', string),
    name: required('name', string),
    ...settings,
    warnings: given('warnings', listOf(string)),
    created_at: required('createdAt', instant),
    updated_at: required('updatedAt', instant),
  },
  'Queue',
)
