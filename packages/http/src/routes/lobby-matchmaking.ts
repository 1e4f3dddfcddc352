import { keyOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { rateLimited, rateLimitHeaders } from '../middleware/limit-headers'
import { lobby } from '../wire/lobby'
import { queueExplanation } from '../wire/queue-explanation'
import { ok } from './answers'
import { CANCEL_MATCHMAKING } from './limits'
import { onLobby, onLobbyByPlayer } from './on-lobby'

const enqueue = endpoint({
  operation: 'lobbies.enqueue',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/queue',
  summary: 'The host sends the lobby to matchmaking.',
  success: ok(lobby),
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
    'PLAYER_COOLING_DOWN',
  ],
  handle: (call) => call.matchyard.lobbies.enqueue(onLobbyByPlayer(call), call.options),
})

const cancel = endpoint({
  operation: 'lobbies.cancelMatchmaking',
  method: 'delete',
  path: '/v1/lobbies/{lobby_id}/queue',
  summary: 'The host takes the lobby out of matchmaking; at most 5 calls a second per player.',
  success: ok(lobby),
  errors: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'INVALID_LOBBY_STATE', 'RATE_LIMITED'],
  async handle(call) {
    const input = onLobbyByPlayer(call)
    // Every call counts, whatever becomes of it (docs/http-api.md §6).
    const key = JSON.stringify([input.projectId, input.playerId])
    const state = await call.services.limiter.consume(CANCEL_MATCHMAKING, key, input.projectId)
    if (state.consumed > CANCEL_MATCHMAKING.points) throw rateLimited(CANCEL_MATCHMAKING, state, call.headers)
    Object.assign(call.headers, rateLimitHeaders(CANCEL_MATCHMAKING, state))
    return call.matchyard.lobbies.cancelMatchmaking(input, call.options)
  },
})

const explain = endpoint({
  operation: 'lobbies.explainMatchmaking',
  method: 'get',
  path: '/v1/lobbies/{lobby_id}/queue',
  summary: 'Why the lobby is still waiting.',
  success: ok(queueExplanation),
  errors: ['LOBBY_NOT_FOUND', 'INVALID_LOBBY_STATE'],
  handle: (call) => call.matchyard.lobbies.explainMatchmaking(onLobby(call)),
})

const start = endpoint({
  operation: 'lobbies.start',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/start',
  summary: 'The host starts a match of this lobby alone; the answer does not wait for the server.',
  success: ok(lobby),
  errors: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'PLAN_LIMIT_EXCEEDED', 'INVALID_LOBBY_STATE', 'PARTY_CANNOT_MATCH'],
  handle: (call) => call.matchyard.lobbies.start(onLobbyByPlayer(call), call.options),
})

const end = endpoint({
  operation: 'lobbies.end',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/end',
  summary: 'Ends the match: a backend, or the host where the match holds one lobby.',
  success: ok(lobby),
  errors: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'INVALID_LOBBY_STATE'],
  // Keys for a time are minted for a person's page or script; the game's backend has one that holds.
  handle: (call) => call.matchyard.lobbies.end({ ...onLobby(call), isOperator: keyOf(call).isForATime }, call.options),
})

export const LOBBY_MATCHMAKING_ENDPOINTS: readonly Endpoint[] = [enqueue, cancel, explain, start, end]
