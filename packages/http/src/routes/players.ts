import { type Endpoint, endpoint } from '../endpoint'
import { foundPlayer, ownPlayer } from '../wire/found-player'
import { ACCEPTED, NO_CONTENT, ok } from './answers'

const find = endpoint({
  operation: 'players.find',
  method: 'get',
  path: '/v1/players/{player_id}',
  summary:
    "Returns a player's live match, searches, lobbies, last matches and last exits; all are empty for an unknown player.",
  success: ok(foundPlayer),
})

const self = endpoint({
  operation: 'players.self',
  method: 'get',
  path: '/v1/players/me',
  summary: "Returns the calling player's live match, searches, lobbies and last matches.",
  success: ok(ownPlayer),
})

const leaveMatch = endpoint({
  operation: 'players.leaveMatch',
  method: 'post',
  path: '/v1/players/me/leave-match',
  summary: 'Leaves the live match as when the player leaves the lobby; a proposed match is declined.',
  success: NO_CONTENT,
})

const erase = endpoint({
  operation: 'players.erase',
  method: 'delete',
  path: '/v1/players/{player_id}',
  summary: "Removes a player from its lobbies, and the player's id and state from all stored data.",
  success: ACCEPTED,
})

export const PLAYER_ENDPOINTS: readonly Endpoint[] = [self, leaveMatch, find, erase]
