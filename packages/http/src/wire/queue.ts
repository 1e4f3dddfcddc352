import { z } from '@hono/zod-openapi'
import {
  ACTOR_KINDS,
  type Actor,
  type Changed,
  DEFAULT_INVITE_CODE_CONFIG,
  HOST_LEAVE_BEHAVIORS,
  INVITE_CHARSETS,
  type InviteCharset,
  type InviteCodeConfig,
  type JsonObject,
  QUEUE_DEFAULTS,
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
import {
  answerOf,
  bodyOf,
  given,
  instant,
  listOf,
  nullable,
  optional,
  plain,
  required,
  told,
  withDefaults,
} from './codec/index'
import { matchmaking } from './matchmaking'
import { serverSettings } from './server-settings'
import { flag, name, nameText, oneOf, seconds, string, text, whole, wholeIn } from './shared'

const inviteFields = {
  enabled: optional(flag, 'Whether lobbies have one.'),
  length: optional(wholeIn(INVITE_RANDOM_LENGTH), 'So many characters stand behind the prefix.'),
  charset: optional(
    oneOf(Object.keys(INVITE_CHARSETS) as [InviteCharset, ...InviteCharset[]]),
    'Characters of the random part: `alphanumeric` is upper-case letters and digits; `alphanumeric` and `alphabetic` leave out look-alikes (0 O, 1 I L).',
  ),
  prefix: optional(nameText(INVITE_PREFIX_LENGTH), 'Stands before the random part.'),
}

const inviteCodeConfig = {
  ...bodyOf(
    withDefaults(inviteFields, { ...DEFAULT_INVITE_CODE_CONFIG }),
    'InviteCodeConfig',
    'Codes by which others join.',
  ),
  ...answerOf<InviteCodeConfig>()(inviteFields),
}

const trustedFields = {
  ...plain(z.array(text(RULE_FIELD_LENGTH).body).max(MAX_TRUSTED_FIELDS, `must be at most ${MAX_TRUSTED_FIELDS}`)),
  // Told as it is kept, where nobody may change it.
  encode: (fields: readonly string[]) => fields,
}

/** A setting of a queue is one line here, beside its type and its default and faults in the domain. */
const settings = {
  enabled: optional(flag, 'Whether lobbies are made in it, and matched.'),
  maxPlayers: optional(wholeIn(LOBBY_PLAYERS), 'So many players has a lobby at the most.'),
  timeoutSeconds: optional(seconds, 'After so long a search is given up, and the lobby waits again.'),
  heartbeat: optional(flag, 'Whether players of whom nothing is heard leave their lobbies.'),
  heartbeatTimeoutSeconds: optional(seconds, 'After so long a silence a player has left; only with `heartbeat`.'),
  hostLeaveBehavior: optional(
    oneOf(HOST_LEAVE_BEHAVIORS),
    'What becomes of a lobby without its host: the next player is the host, or it is deleted.',
  ),
  lobbyTtlSeconds: optional(seconds, 'After so long in which nothing happens a lobby is deleted.'),
  matchTtlSeconds: optional(
    plain(seconds.body.nullable(), seconds.answer.nullable()),
    'After so long a match without a server of the service ends that nobody ended; null: never.',
  ),
  inviteCodeConfig: optional(inviteCodeConfig, 'Codes by which others join its lobbies.'),
  serverSettings: given(
    serverSettings,
    'What the servers of matches are made from; without them matches have no server.',
  ),
  matchmaking: given(matchmaking, 'Who is matched with whom; without it lobbies can only be started directly.'),
  trustedFields: given(
    trustedFields,
    'Fields of player states that clients may not write: they come from a player token or from your backend.',
  ),
} satisfies { readonly [Setting in keyof Required<Omit<QueueConfig, 'name'>>]: unknown }

const queueId = plain(z.string().regex(QUEUE_ID_PATTERN, `must match ${QUEUE_ID_PATTERN.source}`), z.string())

export const newQueue = bodyOf({
  queueId: required(queueId, 'Its id, by which games name it: 1 to 64 of a-z, 0-9 and _.'),
  name: required(name, 'For people to read.'),
  ...withDefaults(settings, QUEUE_DEFAULTS),
})

export const queueChanges = bodyOf({ name: optional(name, 'For people to read.'), ...settings })

/** Settings of a queue that its developer decides. */
const queueSettings = answerOf<QueueConfig>()(
  { name: required(string, 'For people to read.'), ...settings },
  'QueueSettings',
  'The settings of a queue.',
)

const anything = plain(z.unknown())

const actor = answerOf<Actor>()({
  kind: required(oneOf(ACTOR_KINDS), 'By what they called.'),
  id: required(nullable(string), 'The key, or the account; null where there is none.'),
  name: required(nullable(string), 'Its name; null where it has none.'),
})

const changed = answerOf<Changed>()({
  path: required(string, 'Which setting.'),
  before: required(anything, 'Its value before.'),
  after: required(anything, 'Its value now.'),
})

/** Free-form, so told as a whole. */
const WHOLE = ['server_settings.custom_data']

/** Returns the differences of two versions by the names of the wire, so only visible fields differ. */
const changesOf = ({ before, settings: after }: QueueHistoryEntry): readonly Changed[] =>
  before === null ? [] : changesBetween(onWire(before), onWire(after), WHOLE)

const onWire = (config: QueueConfig) => queueSettings.encode(config) as JsonObject

export const queueHistoryEntry = answerOf<QueueHistoryEntry>()(
  {
    version: required(whole, 'Grows with every change; `restore` takes it.'),
    at: required(instant, 'When.'),
    by: required(nullable(actor), 'Who changed it; null for what the queue was before its history began.'),
    changes: told(listOf(changed), changesOf, 'What was changed.'),
    settings: required(queueSettings, 'The whole settings, as the change left them.'),
  },
  'QueueHistoryEntry',
  'A change of a queue.',
)

export const queueRestore = bodyOf({
  version: required(wholeIn({ min: 1, max: Number.MAX_SAFE_INTEGER }), "A version of the queue's history."),
})

export const queue = answerOf<QueueAnswer>()(
  {
    queueId: required(string, 'Its id: a-z, 0-9 and _, at most 64.'),
    name: required(string, 'For people to read.'),
    ...settings,
    warnings: given(listOf(string), 'What is allowed, and probably not meant.'),
    createdAt: required(instant, 'When it was made.'),
    updatedAt: required(instant, 'When it changed last.'),
  },
  'Queue',
  'A queue: what its lobbies may be, who is matched with whom, and where they play.',
)
