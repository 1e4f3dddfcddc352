import { keyOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { rateLimited, rateLimitHeaders } from '../middleware/limit-headers'
import { lobby } from '../wire/lobby'
import { starting } from '../wire/lobby-bodies'
import { queueExplanation } from '../wire/queue-explanation'
import { ok } from './answers'
import { CANCEL_MATCHMAKING } from './limits'
import { onLobby, onLobbyByPlayer } from './on-lobby'

const enqueue = endpoint({
  operation: 'lobbies.enqueue',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/queue',
  summary: 'Starts the search of the lobby; by the host.',
  success: ok(lobby),
})

const cancel = endpoint({
  operation: 'lobbies.cancelMatchmaking',
  method: 'delete',
  path: '/v1/lobbies/{lobby_id}/queue',
  summary: 'Cancels the search of the lobby; by the host, at most 5 calls per second for each player.',
  success: ok(lobby),
  errors: ['RATE_LIMITED'],
  async handle(call) {
    const input = onLobbyByPlayer(call)
    // Every call counts, even if it fails later (docs/http-api.md §6).
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
  summary: 'Explains why the lobby is not matched yet.',
  success: ok(queueExplanation),
})

const start = endpoint({
  operation: 'lobbies.start',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/start',
  summary:
    'Starts a match of this lobby alone, without matchmaking; by the host. The answer does not wait for the server.',
  body: starting,
  bodyOptional: true,
  success: ok(lobby),
})

const end = endpoint({
  operation: 'lobbies.end',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/end',
  summary: 'Ends the match; by a backend, or by the host of a match with one lobby.',
  success: ok(lobby),
  // A permanent key counts as the game's backend. A key with an expiry was made for an operator's page or script.
  handle: (call) => call.matchyard.lobbies.end({ ...onLobby(call), isOperator: keyOf(call).isForATime }, call.options),
})

export const LOBBY_MATCHMAKING_ENDPOINTS: readonly Endpoint[] = [enqueue, cancel, explain, start, end]
