import { type Endpoint, endpoint } from '../endpoint'
import { lobby } from '../wire/lobby'
import { banning } from '../wire/lobby-bodies'
import { NO_CONTENT, ok } from './answers'

const ban = endpoint({
  operation: 'lobbies.banPlayer',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/bans',
  summary: 'Bans a player from the lobby and removes the player if present; by the host or a backend.',
  body: banning,
  success: ok(lobby),
})

const unban = endpoint({
  operation: 'lobbies.unbanPlayer',
  method: 'delete',
  path: '/v1/lobbies/{lobby_id}/bans/{player_id}',
  summary: 'Removes a ban; by the host or a backend.',
  success: NO_CONTENT,
})

export const LOBBY_BAN_ENDPOINTS: readonly Endpoint[] = [ban, unban]
