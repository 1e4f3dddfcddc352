import { z } from '@hono/zod-openapi'
import {
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
  IN_GAME_HEARTBEAT_SECONDS,
  INVITE_PREFIX_LENGTH,
  INVITE_RANDOM_LENGTH,
  LEAVER_PENALTY_SECONDS,
  LOBBY_PLAYERS,
  MAX_TRUSTED_FIELDS,
  PRESENCE_TIMEOUT_SECONDS,
  QUEUE_ID_PATTERN,
  RULE_FIELD_LENGTH,
} from '@matchyard/core/domain'
import { actor } from './actor'
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
import { flag, name, nameText, oneOf, seconds, sentence, string, text, whole, wholeIn } from './shared'

const inviteFields = {
  enabled: optional(flag, 'Whether lobbies have an invite code.'),
  length: optional(wholeIn(INVITE_RANDOM_LENGTH), 'Number of random characters after the prefix.'),
  charset: optional(
    oneOf(Object.keys(INVITE_CHARSETS) as [InviteCharset, ...InviteCharset[]]),
    'Characters of the random part: `alphanumeric` is upper-case letters and digits; `alphanumeric` and `alphabetic` leave out look-alikes (0 O, 1 I L).',
  ),
  prefix: optional(nameText(INVITE_PREFIX_LENGTH), 'Text before the random part.'),
}

const inviteCodeConfig = {
  ...bodyOf(
    withDefaults(inviteFields, { ...DEFAULT_INVITE_CODE_CONFIG }),
    'InviteCodeConfig',
    'Invite codes, by which other players join.',
  ),
  ...answerOf<InviteCodeConfig>()(inviteFields),
}

const trustedFields = {
  ...plain(
    z.array(text(RULE_FIELD_LENGTH).body).max(MAX_TRUSTED_FIELDS, `must have at most ${MAX_TRUSTED_FIELDS} fields`),
  ),
  // The domain's list cannot be changed, so answers use it without a copy.
  encode: (fields: readonly string[]) => fields,
}

const queueIdBody = z.string().regex(QUEUE_ID_PATTERN, `must match ${QUEUE_ID_PATTERN.source}`)

/** Settings of a queue. A new setting needs one line here; the domain has its type, its default and its checks. */
const settings = {
  enabled: optional(flag, 'Whether lobbies can be created in the queue and matched.'),
  maxPlayers: optional(wholeIn(LOBBY_PLAYERS), 'Maximum number of players in a lobby.'),
  timeoutSeconds: optional(seconds, 'Seconds after which a search ends and the lobby returns to `waiting`.'),
  heartbeat: optional(flag, 'Whether silent players are removed from their lobbies.'),
  heartbeatTimeoutSeconds: optional(
    seconds,
    'Seconds of silence after which a player is removed; only with `heartbeat`.',
  ),
  hostLeaveBehavior: optional(
    oneOf(HOST_LEAVE_BEHAVIORS),
    "Effect of the host's departure on a lobby: the next player becomes host, or the lobby is deleted.",
  ),
  lobbyTtlSeconds: optional(seconds, 'Seconds without activity after which a lobby is deleted.'),
  matchTtlSeconds: optional(
    plain(seconds.body.nullable(), seconds.answer.nullable()),
    'Seconds after which a match without a server of the service ends by itself; null: never.',
  ),
  concurrentMatches: optional(
    flag,
    'Whether a player may be in several live matches at the same time. Without it, a player who is in a live match cannot enter another one.',
  ),
  presenceTimeoutSeconds: optional(
    wholeIn(PRESENCE_TIMEOUT_SECONDS),
    'Seconds after which a searching lobby counts as absent if none of its players was heard; it is then not matched until one is. 0: never.',
  ),
  inGameHeartbeatTimeoutSeconds: optional(
    plain(wholeIn(IN_GAME_HEARTBEAT_SECONDS).body.nullable(), wholeIn(IN_GAME_HEARTBEAT_SECONDS).answer.nullable()),
    'As `heartbeat_timeout`, for lobbies in a match; 0: silent players are not removed there; null: as `heartbeat_timeout`.',
  ),
  leaverPenaltySeconds: optional(
    wholeIn(LEAVER_PENALTY_SECONDS),
    'Seconds for which a player who leaves a running match cannot enter the queue; 0: no penalty.',
  ),
  requeueOnFailure: optional(
    flag,
    'Whether a party whose match failed to launch is put back into the queue, with the age it had.',
  ),
  inviteCodeConfig: optional(inviteCodeConfig, "Invite codes of the queue's lobbies."),
  serverSettings: given(serverSettings, "Settings of the matches' servers; without them matches have no server."),
  matchmaking: given(
    matchmaking,
    'Matchmaking rules and team sizes; without them lobbies can only be started directly.',
  ),
  rating: optional(
    plain(queueIdBody.nullable(), z.string().nullable()),
    "Rating that the results of the queue's matches change, and that is written into the states of players who enter; null: none.",
  ),
  ratingField: optional(
    text(RULE_FIELD_LENGTH),
    'Field of the state for the rating of a player; `<field>_uncertainty` gets its uncertainty. Clients may write neither.',
  ),
  ratedStarts: optional(flag, 'Whether direct starts count for the rating too.'),
  trustedFields: given(
    trustedFields,
    'Fields of player states that clients may not write; they come from a player token or from your backend.',
  ),
} satisfies { readonly [Setting in keyof Required<Omit<QueueConfig, 'name'>>]: unknown }

const queueId = plain(queueIdBody, z.string())

export const newQueue = bodyOf({
  queueId: required(queueId, 'Id by which games name the queue: 1 to 64 characters of a-z, 0-9 and _.'),
  name: required(name, 'Display name.'),
  ...withDefaults(settings, QUEUE_DEFAULTS),
})

export const queueChanges = bodyOf({ name: optional(name, 'Display name.'), ...settings })

/** Codec of the settings that a queue's developer chooses. */
const queueSettings = answerOf<QueueConfig>()(
  { name: required(string, 'Display name.'), ...settings },
  'QueueSettings',
  'The settings of a queue.',
)

const anything = plain(z.unknown())

const changed = answerOf<Changed>()({
  path: required(string, 'Name of the setting.'),
  before: required(anything, 'Value before the change.'),
  after: required(anything, 'Value after the change.'),
})

/** Paths of free-form settings. A change in one of them is shown as a change of the whole setting. */
const WHOLE = ['server_settings.custom_data', 'server_settings.environment']

/**
 * Returns the differences of two versions of a queue. They are compared in their JSON form, so that only visible fields
 * can differ.
 */
const changesOf = ({ before, settings: after }: QueueHistoryEntry): readonly Changed[] =>
  before === null ? [] : changesBetween(onWire(before), onWire(after), WHOLE)

const onWire = (config: QueueConfig) => queueSettings.encode(config) as JsonObject

export const queueHistoryEntry = answerOf<QueueHistoryEntry>()(
  {
    version: required(whole, 'Version of the settings, which grows with each change; the input of `restore`.'),
    at: required(instant, 'Time of the change.'),
    by: required(nullable(actor), 'Author of the change; null for the state before the history began.'),
    changes: told(listOf(changed), changesOf, 'Changed settings.'),
    settings: required(queueSettings, 'All settings after the change.'),
  },
  'QueueHistoryEntry',
  'A change of a queue.',
)

export const queueRestore = bodyOf({
  version: required(wholeIn({ min: 1, max: Number.MAX_SAFE_INTEGER }), "A version of the queue's history."),
})

export const queue = answerOf<QueueAnswer>()(
  {
    queueId: required(string, 'Id: 1 to 64 characters of a-z, 0-9 and _.'),
    name: required(string, 'Display name.'),
    ...settings,
    warnings: given(listOf(sentence), 'Warnings about settings that are valid but probably not intended.'),
    createdAt: required(instant, 'Time of creation.'),
    updatedAt: required(instant, 'Time of the last change.'),
  },
  'Queue',
  'A queue: its lobbies, matchmaking rules and game servers.',
)
