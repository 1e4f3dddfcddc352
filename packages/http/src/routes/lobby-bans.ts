import { type Endpoint, endpoint } from '../endpoint'
import { lobby } from '../wire/lobby'
import { banning } from '../wire/lobby-bodies'
import { NO_CONTENT, ok } from './answers'
import { onLobby } from './on-lobby'

const ban = endpoint({
  operation: 'lobbies.banPlayer',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/bans',
  summary: 'Kicks a player if there, and keeps them out: the host, or a backend.',
  body: banning,
  success: ok(lobby),
  errors: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'BAN_LIMIT'],
  handle: (call) => call.matchyard.lobbies.banPlayer({ ...onLobby(call), ...call.body }, call.options),
})

const unban = endpoint({
  operation: 'lobbies.unbanPlayer',
  method: 'delete',
  path: '/v1/lobbies/{lobby_id}/bans/{player_id}',
  summary: 'Lets a banned player in again: the host, or a backend.',
  success: NO_CONTENT,
  errors: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'BAN_NOT_FOUND'],
  handle: (call) =>
    call.matchyard.lobbies.unbanPlayer({ ...onLobby(call), targetPlayerId: call.params.player_id }, call.options),
})

export const LOBBY_BAN_ENDPOINTS: readonly Endpoint[] = [ban, unban]
