import { validationFailed } from '@matchyard/core'
import { keyOf, playerOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { lobbySchema, toLobbyWire } from '../wire/lobby'
import { browseLobbiesQuery, createLobbyBody, lobbySettingsBody } from '../wire/lobby-bodies'
import { envelopeOf, toEnvelopeWire } from '../wire/shared'
import { created, NO_CONTENT, ok } from './answers'
import { onLobby, onLobbyByPlayer } from './on-lobby'

const create = endpoint({
  operation: 'lobbies.create',
  method: 'post',
  path: '/v1/lobbies',
  summary: 'Makes a lobby that waits, its caller the host.',
  body: createLobbyBody,
  success: created(lobbySchema),
  errors: ['PLAN_LIMIT_EXCEEDED', 'QUEUE_NOT_FOUND', 'QUEUE_DISABLED', 'INVITE_CODES_EXHAUSTED'],
  async handle(call) {
    const { body } = call
    const input = {
      ...playerOf(call),
      queueId: body.queue_id,
      name: body.name,
      region: body.region,
      isPrivate: body.is_private,
      maxPlayers: body.max_players,
      settings: body.settings,
      state: body.state,
    }
    return toLobbyWire(await call.matchyard.lobbies.create(input, call.options))
  },
})

const browse = endpoint({
  operation: 'lobbies.browse',
  method: 'get',
  path: '/v1/lobbies',
  summary: "The project's lobbies; client keys see public ones only.",
  query: browseLobbiesQuery,
  success: ok(envelopeOf(lobbySchema)),
  errors: [],
  async handle(call) {
    const { projectId, backend } = keyOf(call)
    const { queue_id: queueId, include_private, ...filters } = call.query
    const includePrivate = backend && flag('include_private', include_private)
    const page = await call.matchyard.lobbies.browse({ projectId, backend, queueId, includePrivate, ...filters })
    return toEnvelopeWire(page, call.query, toLobbyWire)
  },
})

function flag(path: string, value: string | undefined): boolean {
  if (value === undefined || value === 'false') return false
  if (value === 'true') return true
  throw validationFailed([{ path, message: 'must be true or false' }])
}

const get = endpoint({
  operation: 'lobbies.get',
  method: 'get',
  path: '/v1/lobbies/{lobby_id}',
  summary: 'A lobby with its players and, once the match runs, its server.',
  success: ok(lobbySchema),
  errors: ['LOBBY_NOT_FOUND'],
  handle: async (call) => toLobbyWire(await call.matchyard.lobbies.get(onLobby(call))),
})

const updateSettings = endpoint({
  operation: 'lobbies.updateSettings',
  method: 'patch',
  path: '/v1/lobbies/{lobby_id}/settings',
  summary: 'The host replaces the supplied fields while the lobby waits.',
  body: lobbySettingsBody,
  success: ok(lobbySchema),
  errors: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'QUEUE_NOT_FOUND', 'QUEUE_DISABLED', 'INVALID_LOBBY_STATE'],
  async handle(call) {
    const { name, queue_id: queueId, region, is_private: isPrivate, max_players: maxPlayers, settings } = call.body
    const changes = {
      ...(name === undefined ? {} : { name }),
      ...(queueId === undefined ? {} : { queueId }),
      ...(region === undefined ? {} : { region }),
      ...(isPrivate === undefined ? {} : { isPrivate }),
      ...(maxPlayers === undefined ? {} : { maxPlayers }),
      ...(settings === undefined ? {} : { settings }),
    }
    return toLobbyWire(await call.matchyard.lobbies.updateSettings({ ...onLobbyByPlayer(call), changes }))
  },
})

const remove = endpoint({
  operation: 'lobbies.delete',
  method: 'delete',
  path: '/v1/lobbies/{lobby_id}',
  summary: 'The host, or a backend that names no player, ends the lobby.',
  success: NO_CONTENT,
  errors: ['LOBBY_NOT_FOUND', 'NOT_HOST'],
  handle: (call) => call.matchyard.lobbies.delete(onLobby(call)),
})

export const LOBBY_ENDPOINTS: readonly Endpoint[] = [create, browse, get, updateSettings, remove]
