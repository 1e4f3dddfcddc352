import { z } from '@hono/zod-openapi'
import { LOBBY_PLAYERS, LOBBY_SORTS, LOBBY_STATUSES } from '@matchyard/core'
import { paging, word } from './query'
import { freeForm, name, region, wholeNumber } from './shared'

const maxPlayers = wholeNumber(1, LOBBY_PLAYERS.max)
/** An id that no queue can have is simply not found. */
const queueId = z.string().openapi({ description: 'The queue, as its developer named it.' })

export const createLobbyBody = z.strictObject({
  queue_id: queueId,
  name: name.optional(),
  region: region.optional(),
  is_private: z.boolean().optional(),
  max_players: maxPlayers.optional(),
  settings: freeForm.optional(),
  state: freeForm.optional(),
})

export const lobbySettingsBody = z.strictObject({
  name: name.nullable().optional(),
  queue_id: queueId.optional(),
  region: region.nullable().optional(),
  is_private: z.boolean().optional(),
  max_players: maxPlayers.optional(),
  settings: freeForm.optional(),
})

export const joinLobbyBody = z.strictObject({ state: freeForm.optional() })

export const joinByCodeBody = z.strictObject({
  invite_code: z.string().min(1, 'must not be empty').max(64, 'must be at most 64 characters long'),
  state: freeForm.optional(),
})

export const updatePlayerBody = z.strictObject({
  state: freeForm.optional(),
  merge: z.boolean().optional().openapi({ default: true }),
})

export const browseLobbiesQuery = z.object({
  queue_id: word.optional(),
  status: z.enum(LOBBY_STATUSES).optional(),
  region: region.optional(),
  sort: z.enum(LOBBY_SORTS).optional().openapi({ default: 'created_at_desc' }),
  // Ignored for client keys, so its form is judged only where it counts.
  include_private: z.string().optional().openapi({ type: 'boolean', description: 'Server keys only.' }),
  ...paging,
})
