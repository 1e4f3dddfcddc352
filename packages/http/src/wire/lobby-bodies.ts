import { z } from '@hono/zod-openapi'
import { type JsonValue, LOBBY_STATUSES, type SettingsFilter, validationFailed } from '@matchyard/core'
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
import { paging, wholeInQuery, word } from './query'
import { flag, freeForm, name, oneOf, region, string, text, wholeIn } from './shared'

const maxPlayers = wholeIn(LOBBY_PLAYERS)
/** An id that no queue can have is simply not found. */
const queueId = plain(z.string().openapi({ description: 'The queue, as its developer named it.' }))

export const newLobby = bodyOf({
  queueId: required(queueId),
  name: optional(name, 'Shown in lists; none unless said.'),
  region: optional(region, "Where a match that is started directly runs; the queue's unless said."),
  isPrivate: optional(flag, 'Keeps it out of lists: others join by its invite code alone. `false` unless said.'),
  maxPlayers: optional(
    maxPlayers,
    'So many players at the most; no more than the queue allows, which is also what holds unless said.',
  ),
  settings: optional(
    freeForm,
    'The mode or the map for example; lists and quick joins find lobbies by them. `{}` unless said.',
  ),
  state: optional(
    freeForm,
    'The state of the player who makes it: what the rules of the queue compare. `{}` unless said.',
  ),
})

export const lobbyChanges = bodyOf({
  name: optional(plain(name.body.nullable()), 'Shown in lists; null takes it away.'),
  queueId: optional(
    queueId,
    'Moves the lobby to this queue, which must have room for its players; it is given a new invite code.',
  ),
  region: optional(
    plain(region.body.nullable()),
    'Where a match that is started directly runs; null leaves it to the queue.',
  ),
  isPrivate: optional(flag, 'Whether it is kept out of lists and joined by invite code alone.'),
  maxPlayers: optional(maxPlayers, 'So many players at the most: from those who are present to what the queue allows.'),
  settings: optional(freeForm, 'Takes the place of all settings that were there.'),
})

export const joining = bodyOf({
  state: optional(
    freeForm,
    'The state of the player who joins: what the rules of the queue compare. `{}` unless said; a member that joins again has it merged into its own.',
  ),
})

const joiningState = optional(
  freeForm,
  'The state of the player who joins: what the rules of the queue compare. `{}` unless said.',
)

const { min, max } = INVITE_CODE_LENGTH
const inviteCode = z.string().min(min, 'must not be empty').max(max, `must be at most ${max} characters long`)

export const joiningByCode = bodyOf({
  inviteCode: required(plain(inviteCode), 'As another player was shown it; upper and lower case are the same.'),
  state: joiningState,
})

/** The proposal that is meant, so that the answer is never taken for one to the next. */
export const answering = bodyOf({
  matchId: optional(
    string,
    'The proposal that is meant, so that the answer is never taken for one to the next. Whichever stands unless said.',
  ),
})

/** Settings by their names at the top level, each with the value that it must have. */
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

/** As `settings[mode]=duel`: a value that is JSON's for a number, a truth value, null or a text in quotes is that, any other is the text. */
const filterInQuery = z
  .custom<Record<string, string>>((value) => isJsonObject(value), 'must be spelled settings[name]=value')
  .transform((sent) => Object.fromEntries(Object.entries(sent).map(([key, text]) => [key, settingOf(text)])))
  .pipe(filter.body)
  .openapi({
    type: 'object',
    additionalProperties: { type: 'string' },
    maxProperties: SEARCHED_SETTINGS.filterKeys,
    param: { style: 'deepObject', explode: true },
    description:
      'settings[name]=value, for settings at the top level. A value that is a number, true, false, null or a text in quotes in JSON is that; any other is the text as it stands.',
  })

function settingOf(text: string): JsonValue {
  try {
    const value: JsonValue = JSON.parse(text)
    const isNoSetting = typeof value === 'object' && value !== null
    // A number beyond all that there are reads as infinite, which no setting is.
    return isNoSetting || (typeof value === 'number' && !Number.isFinite(value)) ? text : value
  } catch {
    return text
  }
}

export const quickJoining = bodyOf({
  queueId: required(queueId),
  filter: optional(filter, 'Only lobbies with these settings; one that is made has them for its own.'),
  state: joiningState,
  create: optional(
    plain(flag.body.openapi({ default: true })),
    'Whether a lobby is made where none fits; else that is `LOBBY_NOT_FOUND`.',
  ),
})

export const banning = bodyOf({
  targetPlayerId: required(text(PLAYER_ID_LENGTH), 'The player to kick, if there, and to keep out.'),
})

export const playerChanges = bodyOf({
  state: optional(freeForm, 'What the rules of the queue compare, and whatever else the game keeps with a player.'),
  merge: optional(
    plain(flag.body.openapi({ default: true })),
    'Whether the keys of `state` are put beside those that are there, `null` being a value; else it takes their place.',
  ),
})

/** A wait without a version to go by waits for nothing. */
export const pollQuery = queryOf({
  afterVersion: optional(
    wholeInQuery({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    'The `version` that the caller knows: the answer is a later one, or 204.',
  ),
  wait: defaulted(
    wholeInQuery(POLL_SECONDS, POLL_SECONDS.min),
    POLL_SECONDS.min,
    'So many seconds the answer may wait for a later version than `after_version`.',
  ),
})

export const lobbyEventsQuery = queryOf({
  from: optional(
    plain(z.enum(['now', 'oldest']).openapi({ default: 'now' })),
    '`oldest`: every event that is kept, instead of `connected`. For server keys; passed over with a client key, and where `Last-Event-ID` says more.',
  ),
})

export const lobbiesQuery = queryOf({
  queueId: optional(word, 'Only lobbies of this queue.'),
  status: optional(oneOf(LOBBY_STATUSES), 'Only lobbies in this status.'),
  region: optional(region, 'Only lobbies that asked for this region.'),
  settings: optional(plain(filterInQuery)),
  sort: optional(
    plain(z.enum(LOBBY_SORTS).openapi({ default: 'created_at_desc' })),
    'The newest first, the oldest first, or the fullest first.',
  ),
  // Ignored for client keys, so its form is judged only where it counts.
  includePrivate: optional(
    plain(z.string().openapi({ type: 'boolean' })),
    'Whether private lobbies are listed too. Server keys only.',
  ),
  scope: optional(
    oneOf(['project']),
    'Server keys only: every live lobby of the project, newest first, from a cursor on; limit is then up to 1,000.',
  ),
  playerId: optional(string, 'Only lobbies in which this player is. Goes with scope=project.'),
  code: optional(string, 'Only the lobby with this invite code, however it is spelled. Goes with scope=project.'),
  cursor: optional(string, 'next_cursor of the answer before; goes with scope=project.'),
  limit: optional(
    wholeInQuery(PROJECT_LOBBIES_LIMIT, DEFAULT_PAGE_LIMIT),
    'So many at the most: up to 100, and up to 1,000 with scope=project.',
  ),
  offset: paging.offset,
})

type LobbiesQuery = SentBy<typeof lobbiesQuery>

/** Checks that parameters of only one of the two ways to list are not mixed. Throws VALIDATION_FAILED with a sentence for each. */
export function checkLobbiesQuery(query: LobbiesQuery): void {
  const { scope, cursor, code, playerId, limit = 0, offset, sort = 'created_at_desc' } = query
  const { min, max } = PAGE_LIMIT
  const walks = scope === 'project'
  const issues = [
    ...Object.entries({ cursor, code, player_id: playerId })
      .filter(([, value]) => !walks && value !== undefined)
      .map(([path]) => ({ path, message: 'goes with scope=project' })),
    ...(!walks && limit > max ? [{ path: 'limit', message: `must be a whole number from ${min} to ${max}` }] : []),
    ...(walks && offset > 0 ? [{ path: 'offset', message: 'must be 0 with scope=project, which has cursors' }] : []),
    ...(walks && sort !== 'created_at_desc'
      ? [{ path: 'sort', message: 'must be created_at_desc with scope=project' }]
      : []),
  ]
  if (issues.length > 0) throw validationFailed(issues)
}
