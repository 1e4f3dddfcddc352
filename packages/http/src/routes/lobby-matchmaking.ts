import { type Endpoint, endpoint } from '../endpoint'
import { rateLimited, rateLimitHeaders } from '../middleware/limit-headers'
import { lobbySchema, toLobbyWire } from '../wire/lobby'
import { queueExplanationSchema, toQueueExplanationWire } from '../wire/queue-explanation'
import { ok } from './answers'
import { CANCEL_MATCHMAKING } from './limits'
import { onLobby, onLobbyByPlayer } from './on-lobby'

const enqueue = endpoint({
  operation: 'lobbies.enqueue',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/queue',
  summary: 'The host sends the lobby to matchmaking.',
  success: ok(lobbySchema),
  errors: [
    'LOBBY_NOT_FOUND',
    'NOT_HOST',
    'PLAN_LIMIT_EXCEEDED',
    'QUEUE_DISABLED',
    'MATCHMAKING_NOT_CONFIGURED',
    'PARTY_TOO_LARGE',
    'PARTY_CANNOT_MATCH',
    'BUILD_NOT_READY',
    'INVALID_LOBBY_STATE',
  ],
  handle: async (call) => toLobbyWire(await call.matchyard.lobbies.enqueue(onLobbyByPlayer(call), call.options)),
})

const cancel = endpoint({
  operation: 'lobbies.cancelMatchmaking',
  method: 'delete',
  path: '/v1/lobbies/{lobby_id}/queue',
  summary: 'The host takes the lobby out of matchmaking; at most 5 calls a second per player.',
  success: ok(lobbySchema),
  errors: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'INVALID_LOBBY_STATE', 'RATE_LIMITED'],
  async handle(call) {
    const input = onLobbyByPlayer(call)
    // Every call counts, whatever becomes of it (contract §6).
    const key = JSON.stringify([input.projectId, input.playerId])
    const state = await call.services.limiter.consume(CANCEL_MATCHMAKING, key)
    if (state.consumed > CANCEL_MATCHMAKING.points) throw rateLimited(CANCEL_MATCHMAKING, state, call.headers)
    Object.assign(call.headers, rateLimitHeaders(CANCEL_MATCHMAKING, state))
    return toLobbyWire(await call.matchyard.lobbies.cancelMatchmaking(input))
  },
})

const explain = endpoint({
  operation: 'lobbies.explainMatchmaking',
  method: 'get',
  path: '/v1/lobbies/{lobby_id}/queue',
  summary: 'Why the lobby is still waiting.',
  success: ok(queueExplanationSchema),
  errors: ['LOBBY_NOT_FOUND', 'INVALID_LOBBY_STATE'],
  handle: async (call) => toQueueExplanationWire(await call.matchyard.lobbies.explainMatchmaking(onLobby(call))),
})

const start = endpoint({
  operation: 'lobbies.start',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/start',
  summary: 'The host starts a match of this lobby alone; the answer does not wait for the server.',
  success: ok(lobbySchema),
  errors: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'PLAN_LIMIT_EXCEEDED', 'INVALID_LOBBY_STATE'],
  handle: async (call) => toLobbyWire(await call.matchyard.lobbies.start(onLobbyByPlayer(call), call.options)),
})

const end = endpoint({
  operation: 'lobbies.end',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/end',
  summary: 'Ends the match: a backend, or the host where the match holds one lobby.',
  success: ok(lobbySchema),
  errors: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'INVALID_LOBBY_STATE'],
  handle: async (call) => toLobbyWire(await call.matchyard.lobbies.end(onLobby(call), call.options)),
})

export const LOBBY_MATCHMAKING_ENDPOINTS: readonly Endpoint[] = [enqueue, cancel, explain, start, end]
