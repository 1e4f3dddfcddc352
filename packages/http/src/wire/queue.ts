import { z } from '@hono/zod-openapi'
import {
  ACTOR_KINDS,
  type Actor,
  type Changed,
  HOST_LEAVE_BEHAVIORS,
  INVITE_CHARSETS,
  type InviteCharset,
  type InviteCodeConfig,
  type JsonObject,
  type QueueAnswer,
  type QueueConfig,
  type QueueHistoryEntry,
} from '@matchyard/core'
import {
  changesBetween,
  INVITE_PREFIX_LENGTH,
  INVITE_RANDOM_LENGTH,
  LOBBY_PLAYERS,
  MAX_TRUSTED_FIELDS,
  QUEUE_ID_PATTERN,
  RULE_FIELD_LENGTH,
} from '@matchyard/core/domain'
import { answerOf, bodyOf, given, instant, listOf, nullable, optional, plain, required, told } from './codec/index'
import { matchmaking } from './matchmaking'
import { serverSettings } from './server-settings'
import { flag, name, oneOf, seconds, string, text, whole, wholeIn } from './shared'

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

/** What its developer decided about a queue. */
const queueSettings = answerOf<QueueConfig>()({ name: required('name', string), ...settings }, 'QueueSettings')

const anything = plain(z.unknown().openapi({ description: 'Any JSON; null where there was nothing.' }))

const actor = answerOf<Actor>()({
  kind: required('kind', oneOf(ACTOR_KINDS)),
  id: required('id', nullable(string)),
  name: required('name', nullable(string)),
})

const changed = answerOf<Changed>()({
  path: required('path', string),
  before: required('before', anything),
  after: required('after', anything),
})

/** Free-form, so told as a whole. */
const WHOLE = ['server_settings.custom_data']

/** By the names of the wire, so the difference is that of what the wire tells. */
const changesOf = ({ before, settings: after }: QueueHistoryEntry): readonly Changed[] =>
  before === null ? [] : changesBetween(onWire(before), onWire(after), WHOLE)

const onWire = (config: QueueConfig) => queueSettings.encode(config) as JsonObject

export const queueHistoryEntry = answerOf<QueueHistoryEntry>()(
  {
    version: required('version', whole),
    at: required('at', instant),
    by: required('by', nullable(actor)),
    changes: told(listOf(changed), changesOf),
    settings: required('settings', queueSettings),
  },
  'QueueHistoryEntry',
)

export const queueRestore = bodyOf({
  version: required('version', wholeIn({ min: 1, max: Number.MAX_SAFE_INTEGER })),
})

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
