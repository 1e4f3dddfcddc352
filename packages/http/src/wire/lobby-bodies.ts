import { z } from '@hono/zod-openapi'
import { type JsonValue, LOBBY_STATUSES, type SettingsFilter, START_TEAMS, validationFailed } from '@matchyard/core'
import {
  DEFAULT_PAGE_LIMIT,
  filterFault,
  INVITE_CODE_LENGTH,
  isJsonObject,
  LOBBY_PLAYERS,
  PAGE_LIMIT,
  PLAYER_ID_LENGTH,
  POLL_SECONDS,
  PROJECT_LOBBIES_LIMIT,
  SEARCHED_SETTINGS,
} from '@matchyard/core/domain'
import { LOBBY_SORTS } from '@matchyard/core/ports'
import { bodyOf, defaulted, optional, plain, queryOf, required, type SentBy } from './codec/index'
import { flagInQuery, paging, wholeInQuery, word } from './query'
import { flag, freeForm, name, oneOf, region, string, text, wholeIn } from './shared'

const maxPlayers = wholeIn(LOBBY_PLAYERS)
/** Codec of a queue id, whose form is not checked. The look-up of an impossible id fails like that of an unknown id. */
const queueId = plain(z.string().openapi({ description: 'Id of the queue, chosen by the developer.' }))

export const newLobby = bodyOf({
  queueId: required(queueId),
  name: optional(name, 'Display name in lists; none by default.'),
  region: optional(region, "Region for a match that is started directly; the queue's by default."),
  isPrivate: optional(
    flag,
    'Whether the lobby is private: not in lists, joined only by invite code. `false` by default.',
  ),
  maxPlayers: optional(maxPlayers, "Maximum number of players, at most the queue's; the queue's by default."),
  settings: optional(
    freeForm,
    'Settings of the lobby, for example mode or map; lists and quick joins can filter by them. `{}` by default.',
  ),
  state: optional(
    freeForm,
    "State of the player who creates the lobby, with the fields that the queue's rules compare; `{}` by default.",
  ),
})

export const lobbyChanges = bodyOf({
  name: optional(plain(name.body.nullable()), 'Display name in lists; null removes it.'),
  queueId: optional(
    queueId,
    'Moves the lobby to this queue, which must allow its number of players; the lobby gets a new invite code.',
  ),
  region: optional(
    plain(region.body.nullable()),
    "Region for a match that is started directly; null selects the queue's.",
  ),
  isPrivate: optional(flag, 'Whether the lobby is private: not in lists, joined only by invite code.'),
  maxPlayers: optional(maxPlayers, "Maximum number of players: from the present number to the queue's maximum."),
  settings: optional(freeForm, 'Replaces all settings.'),
})

export const joining = bodyOf({
  state: optional(
    freeForm,
    "State of the joining player, with the fields that the queue's rules compare; `{}` by default. A member who joins again has it merged into the present state.",
  ),
})

const joiningState = optional(
  freeForm,
  "State of the joining player, with the fields that the queue's rules compare; `{}` by default.",
)

const { min, max } = INVITE_CODE_LENGTH
const inviteCode = z.string().min(min, 'must not be empty').max(max, `must be at most ${max} characters long`)

export const joiningByCode = bodyOf({
  inviteCode: required(plain(inviteCode), 'Invite code; case is ignored.'),
  state: joiningState,
})

/**
 * Body that accepts or declines a proposal. The id of the proposal prevents the answer from counting for a later
 * proposal.
 */
export const answering = bodyOf({
  matchId: optional(
    string,
    'Id of the answered proposal, so that the answer never counts for a later one; the current proposal by default.',
  ),
})

/** Body that starts a match of one lobby. */
export const starting = bodyOf({
  teams: optional(
    plain(z.enum(START_TEAMS).openapi({ default: 'one' })),
    "Teams of the match. `one`: all players are in `team_1`. `even`: the queue's teams take the players in turn, in the order of joining. `state`: `state.team` of each player names a team of the queue.",
  ),
})

/** Codec of a filter: top-level settings, each with the value that it must have. */
const filter = plain(
  z
    .custom<SettingsFilter>((value) => isJsonObject(value), 'must be an object')
    .superRefine((value, context) => {
      const fault = isJsonObject(value) ? filterFault(value) : undefined
      if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
    })
    .openapi({
      type: 'object',
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
      maxProperties: SEARCHED_SETTINGS.filterKeys,
      description: 'Settings at the top level, each with the value that it must have.',
    }),
)

/**
 * Schema of a filter in a query: `settings[mode]=duel`. A value that is a JSON number, a boolean, null or a quoted text
 * is read as JSON. Any other value is plain text.
 */
const filterInQuery = z
  .custom<Record<string, string>>((value) => isJsonObject(value), 'must have the form settings[name]=value')
  .transform((sent) => Object.fromEntries(Object.entries(sent).map(([key, text]) => [key, settingOf(text)])))
  .pipe(filter.body)
  .openapi({
    type: 'object',
    additionalProperties: { type: 'string' },
    maxProperties: SEARCHED_SETTINGS.filterKeys,
    param: { style: 'deepObject', explode: true },
    description:
      'Filter by settings of the top level: settings[name]=value. A value that is a JSON number, true, false, null or quoted text is read as JSON; any other value is plain text.',
  })

function settingOf(text: string): JsonValue {
  try {
    const value: JsonValue = JSON.parse(text)
    const isNoSetting = typeof value === 'object' && value !== null
    // `JSON.parse` reads a number that is too large as Infinity, which no setting can have.
    return isNoSetting || (typeof value === 'number' && !Number.isFinite(value)) ? text : value
  } catch {
    return text
  }
}

export const quickJoining = bodyOf({
  queueId: required(queueId),
  filter: optional(filter, 'Only lobbies with these settings; a created lobby has them too.'),
  state: joiningState,
  create: optional(
    plain(flag.body.openapi({ default: true })),
    'Whether a lobby is created when none fits; else the answer is `LOBBY_NOT_FOUND`.',
  ),
})

export const banning = bodyOf({
  targetPlayerId: required(text(PLAYER_ID_LENGTH), 'Id of the player to ban.'),
})

export const playerChanges = bodyOf({
  state: optional(
    freeForm,
    "State of the player: the fields that the queue's rules compare, and other data of the game.",
  ),
  merge: optional(
    plain(flag.body.openapi({ default: true })),
    'Whether the keys of `state` are merged into the present state, where `null` is a value; else `state` replaces it.',
  ),
})

/**
 * Query of a read that can wait until the object has a version above `after_version`. `wait` has no effect without
 * `after_version`.
 */
export const pollQuery = queryOf({
  afterVersion: optional(
    wholeInQuery({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    '`version` that the caller has; the answer is a later version, or 204.',
  ),
  wait: defaulted(
    wholeInQuery(POLL_SECONDS, POLL_SECONDS.min),
    POLL_SECONDS.min,
    'Maximum seconds to wait for a version later than `after_version`.',
  ),
})

export const lobbyEventsQuery = queryOf({
  from: optional(
    plain(z.enum(['now', 'oldest']).openapi({ default: 'now' })),
    '`oldest`: begins with the oldest stored event instead of `connected`. For server keys; ignored with a client key or a `Last-Event-ID`.',
  ),
})

export const lobbiesQuery = queryOf({
  queueId: optional(word, 'Only lobbies of this queue.'),
  status: optional(oneOf(LOBBY_STATUSES), 'Only lobbies in this status.'),
  region: optional(region, 'Only lobbies that requested this region.'),
  settings: optional(plain(filterInQuery)),
  sort: optional(
    plain(z.enum(LOBBY_SORTS).openapi({ default: 'created_at_desc' })),
    'Order: newest, oldest or fullest first.',
  ),
  // Only the handler for server keys checks this parameter, because the parameter is ignored for client keys.
  includePrivate: optional(
    plain(z.string().openapi({ type: 'boolean' })),
    'Whether private lobbies are included; for server keys only.',
  ),
  includeAbsent: optional(
    flagInQuery,
    'Whether lobbies in `waiting` whose host was not heard for the `presence_timeout` are included; server keys always get them. `false` by default.',
  ),
  scope: optional(
    oneOf(['project']),
    'Lists every live lobby of the project, newest first, by cursor; the limit is then up to 1,000. For server keys only.',
  ),
  playerId: optional(string, 'Only lobbies of this player; with scope=project.'),
  code: optional(string, 'Only the lobby with this invite code in any spelling; with scope=project.'),
  cursor: optional(string, 'next_cursor of the previous answer; with scope=project.'),
  limit: optional(
    wholeInQuery(PROJECT_LOBBIES_LIMIT, DEFAULT_PAGE_LIMIT),
    'Maximum number of items: up to 100, or up to 1,000 with scope=project.',
  ),
  offset: paging.offset,
})

type LobbiesQuery = SentBy<typeof lobbiesQuery>

/**
 * Throws `VALIDATION_FAILED`, with an issue for each parameter, when a query mixes parameters of the two kinds of list:
 * with `scope=project`, and without it.
 */
export function checkLobbiesQuery(query: LobbiesQuery): void {
  const { scope, cursor, code, playerId, limit = 0, offset, sort = 'created_at_desc' } = query
  const { min, max } = PAGE_LIMIT
  const walks = scope === 'project'
  const issues = [
    ...Object.entries({ cursor, code, player_id: playerId })
      .filter(([, value]) => !walks && value !== undefined)
      .map(([path]) => ({ path, message: 'is allowed only with scope=project' })),
    ...(!walks && limit > max ? [{ path: 'limit', message: `must be a whole number from ${min} to ${max}` }] : []),
    ...(walks && offset > 0 ? [{ path: 'offset', message: 'must be 0 with scope=project: use `cursor` instead' }] : []),
    ...(walks && sort !== 'created_at_desc'
      ? [{ path: 'sort', message: 'must be created_at_desc with scope=project' }]
      : []),
  ]
  if (issues.length > 0) throw validationFailed(issues)
}
