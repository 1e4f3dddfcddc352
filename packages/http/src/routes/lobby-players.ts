import { ServiceError } from '@matchyard/core'
import { playerOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { clientAddress } from '../middleware/client-address'
import { lobbySchema, playerSchema, toLobbyWire, toPlayerWire } from '../wire/lobby'
import { joinByCodeBody, joinLobbyBody, updatePlayerBody } from '../wire/lobby-bodies'
import { NO_CONTENT, ok } from './answers'
import { INVITE_PER_ADDRESS, INVITE_PER_PROJECT } from './limits'
import { onLobbyByPlayer } from './on-lobby'

const join = endpoint({
  operation: 'lobbies.join',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/join',
  summary: 'Joins a public lobby that waits.',
  body: joinLobbyBody,
  bodyOptional: true,
  success: ok(lobbySchema),
  errors: ['LOBBY_NOT_FOUND', 'LOBBY_NOT_ACCEPTING', 'LOBBY_FULL'],
  async handle(call) {
    const input = { ...onLobbyByPlayer(call), state: call.body.state }
    return toLobbyWire(await call.matchyard.lobbies.join(input, call.options))
  },
})

const joinByCode = endpoint({
  operation: 'lobbies.joinByCode',
  method: 'post',
  path: '/v1/lobbies/join',
  summary: 'Joins a lobby, public or private, by its invite code.',
  body: joinByCodeBody,
  success: ok(lobbySchema),
  errors: ['INVALID_INVITE_CODE', 'LOBBY_NOT_ACCEPTING', 'LOBBY_FULL', 'RATE_LIMITED'],
  async handle(call) {
    const { services, body, headers, c } = call
    const player = playerOf(call)
    const suspects = [
      { rule: INVITE_PER_ADDRESS, key: clientAddress(c, services.trustedProxies) },
      { rule: INVITE_PER_PROJECT, key: player.projectId },
    ]
    const work = () =>
      call.matchyard.lobbies.joinByCode(
        { ...player, inviteCode: asked(body.invite_code), state: body.state },
        call.options,
      )
    return toLobbyWire(await services.throttle.attempt(suspects, headers, work, isWrongCode))
  },
})

/** Codes hold no control characters; the text of one that does becomes a code that nobody has. */
const asked = (code: string) => (/\p{Cc}/u.test(code) ? '' : code)
const isWrongCode = (error: unknown) => error instanceof ServiceError && error.code === 'INVALID_INVITE_CODE'

const leave = endpoint({
  operation: 'lobbies.leave',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/leave',
  summary: 'Leaves the lobby; a queued one goes back to waiting.',
  success: NO_CONTENT,
  errors: ['LOBBY_NOT_FOUND', 'PLAYER_NOT_IN_LOBBY'],
  handle: (call) => call.matchyard.lobbies.leave(onLobbyByPlayer(call), call.options),
})

const removePlayer = endpoint({
  operation: 'lobbies.removePlayer',
  method: 'delete',
  path: '/v1/lobbies/{lobby_id}/players/{player_id}',
  summary: 'Leaves, or as the host kicks another.',
  success: NO_CONTENT,
  errors: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'PLAYER_NOT_IN_LOBBY'],
  handle: (call) =>
    call.matchyard.lobbies.removePlayer({ ...onLobbyByPlayer(call), targetPlayerId: call.params.player_id }),
})

const updatePlayer = endpoint({
  operation: 'lobbies.updatePlayer',
  method: 'patch',
  path: '/v1/lobbies/{lobby_id}/players/{player_id}',
  summary: "Changes one's own state, or any as the host.",
  body: updatePlayerBody,
  success: ok(playerSchema),
  errors: ['LOBBY_NOT_FOUND', 'PLAYER_NOT_IN_LOBBY', 'PLAYER_STATE_FORBIDDEN', 'PARTY_CANNOT_MATCH'],
  async handle(call) {
    // Without a state there is nothing to replace, so nothing changes whatever `merge` says.
    const change =
      call.body.state === undefined ? { state: {}, merge: true } : { state: call.body.state, merge: call.body.merge }
    const input = { ...onLobbyByPlayer(call), targetPlayerId: call.params.player_id, ...change }
    const { lobby, player } = await call.matchyard.lobbies.updatePlayer(input)
    return toPlayerWire(lobby, player)
  },
})

const heartbeat = endpoint({
  operation: 'lobbies.heartbeat',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/heartbeat',
  summary: 'Says that the player is still there; an open event stream does too.',
  success: NO_CONTENT,
  errors: ['LOBBY_NOT_FOUND', 'PLAYER_NOT_IN_LOBBY'],
  handle: (call) => call.matchyard.lobbies.heartbeat(onLobbyByPlayer(call)),
})

export const LOBBY_PLAYER_ENDPOINTS: readonly Endpoint[] = [
  joinByCode,
  join,
  leave,
  removePlayer,
  updatePlayer,
  heartbeat,
]
