import { ServiceError } from '@matchyard/core'
import { keyOf, playerOf } from '../callers'
import { type Endpoint, endpoint, Otherwise } from '../endpoint'
import { clientAddress } from '../middleware/client-address'
import { lobby, player } from '../wire/lobby'
import { joining, joiningByCode, playerChanges, quickJoining } from '../wire/lobby-bodies'
import { pageQuery } from '../wire/query'
import { NO_CONTENT, ok, page } from './answers'
import { INVITE_LATE_MS, INVITE_PER_ADDRESS, INVITE_PER_PROJECT } from './limits'
import { onLobbyByPlayer } from './on-lobby'

const join = endpoint({
  operation: 'lobbies.join',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/join',
  summary: 'Joins a public lobby in `waiting`.',
  body: joining,
  bodyOptional: true,
  success: ok(lobby),
})

const joinByCode = endpoint({
  operation: 'lobbies.joinByCode',
  method: 'post',
  path: '/v1/lobbies/join',
  summary: 'Joins a lobby, public or private, by its invite code.',
  body: joiningByCode,
  success: ok(lobby),
  errors: ['RATE_LIMITED'],
  async handle(call) {
    const { services, body, headers, client, exchange } = call
    const by = playerOf(call)
    const work = () =>
      call.matchyard.lobbies.joinByCode({ ...by, ...body, inviteCode: asked(body.inviteCode), client }, call.options)
    // A backend sends the joins of all its players from one address, so it is not limited by address.
    if (keyOf(call).backend) return work()
    const address = clientAddress(exchange, services.trustedProxies)
    const suspects = [{ rule: INVITE_PER_ADDRESS, key: `${by.projectId} ${address}` }]
    // All holders of the client key share this limit. Exceeding it therefore only delays answers, and no call is
    // refused.
    const shared = { rule: INVITE_PER_PROJECT, key: by.projectId, lateMs: () => INVITE_LATE_MS }
    return services.throttle.attempt({ suspects, shared, headers, work, counts: isWrongCode })
  },
})

/**
 * Returns the invite code to look up. Codes contain no control characters, so a text with control characters becomes an
 * empty string, which is no code.
 */
const asked = (code: string) => (/\p{Cc}/u.test(code) ? '' : code)
const isWrongCode = (error: unknown) => error instanceof ServiceError && error.code === 'INVALID_INVITE_CODE'

const quickJoin = endpoint({
  operation: 'lobbies.quickJoin',
  method: 'post',
  path: '/v1/lobbies/quick-join',
  summary: 'Joins the fullest open public lobby that fits, or creates one.',
  body: quickJoining,
  success: ok(lobby),
  otherwise: { status: 201, description: 'A lobby was created.' },
  async handle(call) {
    const input = { ...playerOf(call), ...call.body, client: call.client }
    const joined = await call.matchyard.lobbies.quickJoin(input, call.options)
    return joined.made ? new Otherwise(joined.lobby) : joined.lobby
  },
})

const ofPlayer = endpoint({
  operation: 'lobbies.ofPlayer',
  method: 'get',
  path: '/v1/players/me/lobbies',
  summary: 'Lists the lobbies of the calling player, including private ones, newest first.',
  query: pageQuery,
  success: page(lobby),
})

const leave = endpoint({
  operation: 'lobbies.leave',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/leave',
  summary: 'Leaves the lobby; a lobby that searches returns to `waiting`.',
  success: NO_CONTENT,
})

const removePlayer = endpoint({
  operation: 'lobbies.removePlayer',
  method: 'delete',
  path: '/v1/lobbies/{lobby_id}/players/{player_id}',
  summary: 'Leaves the lobby, or removes another player as the host.',
  success: NO_CONTENT,
})

const updatePlayer = endpoint({
  operation: 'lobbies.updatePlayer',
  method: 'patch',
  path: '/v1/lobbies/{lobby_id}/players/{player_id}',
  summary: "Changes the caller's own state, or as the host any player's state.",
  body: playerChanges,
  success: ok(player),
  async handle(call) {
    // If the body has no `state`, nothing changes, for every value of `merge`.
    const change =
      call.body.state === undefined ? { state: {}, merge: true } : { state: call.body.state, merge: call.body.merge }
    const input = { ...onLobbyByPlayer(call), targetPlayerId: call.params.player_id, client: call.client, ...change }
    return call.matchyard.lobbies.updatePlayer(input, call.options)
  },
})

const heartbeat = endpoint({
  operation: 'lobbies.heartbeat',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/heartbeat',
  summary: 'Reports that the player is present; an open event stream has the same effect.',
  success: NO_CONTENT,
})

export const LOBBY_PLAYER_ENDPOINTS: readonly Endpoint[] = [
  joinByCode,
  quickJoin,
  ofPlayer,
  join,
  leave,
  removePlayer,
  updatePlayer,
  heartbeat,
]
