import { z } from '@hono/zod-openapi'
import { LOBBY_STATUSES } from '@matchyard/core'
import { INVITE_CODE_LENGTH, LOBBY_PLAYERS, POLL_SECONDS } from '@matchyard/core/domain'
import { LOBBY_SORTS } from '@matchyard/core/ports'
import { bodyOf, defaulted, optional, plain, queryOf, required } from './codec/index'
import { paging, wholeInQuery, word } from './query'
import { flag, freeForm, name, oneOf, region, wholeIn } from './shared'

const maxPlayers = wholeIn(LOBBY_PLAYERS)
/** An id that no queue can have is simply not found. */
const queueId = plain(z.string().openapi({ description: 'The queue, as its developer named it.' }))

export const newLobby = bodyOf({
  queue_id: required('queueId', queueId),
  name: optional('name', name),
  region: optional('region', region),
  is_private: optional('isPrivate', flag),
  max_players: optional('maxPlayers', maxPlayers),
  settings: optional('settings', freeForm),
  state: optional('state', freeForm),
})

export const lobbyChanges = bodyOf({
  name: optional('name', plain(name.body.nullable())),
  queue_id: optional('queueId', queueId),
  region: optional('region', plain(region.body.nullable())),
  is_private: optional('isPrivate', flag),
  max_players: optional('maxPlayers', maxPlayers),
  settings: optional('settings', freeForm),
})

export const joining = bodyOf({ state: optional('state', freeForm) })

const { min, max } = INVITE_CODE_LENGTH
const inviteCode = z.string().min(min, 'must not be empty').max(max, `must be at most ${max} characters long`)

export const joiningByCode = bodyOf({
  invite_code: required('inviteCode', plain(inviteCode)),
  state: optional('state', freeForm),
})

export const playerChanges = bodyOf({
  state: optional('state', freeForm),
  merge: optional('merge', plain(flag.body.openapi({ default: true }))),
})

/** A wait without a version to go by waits for nothing. */
export const pollQuery = queryOf({
  after_version: optional('afterVersion', wholeInQuery({ min: 0, max: Number.MAX_SAFE_INTEGER })),
  wait: defaulted('wait', wholeInQuery(POLL_SECONDS, POLL_SECONDS.min), POLL_SECONDS.min),
})

export const lobbiesQuery = queryOf({
  queue_id: optional('queueId', word),
  status: optional('status', oneOf(LOBBY_STATUSES)),
  region: optional('region', region),
  sort: optional('sort', plain(z.enum(LOBBY_SORTS).openapi({ default: 'created_at_desc' }))),
  // Ignored for client keys, so its form is judged only where it counts.
  include_private: optional(
    'includePrivate',
    plain(z.string().openapi({ type: 'boolean', description: 'Server keys only.' })),
  ),
  ...paging,
})
