import { type Endpoint, endpoint } from '../endpoint'
import { foundPlayer } from '../wire/found-player'
import { ACCEPTED, ok } from './answers'

const find = endpoint({
  operation: 'players.find',
  method: 'get',
  path: '/v1/players/{player_id}',
  summary: "Returns a player's lobbies, last matches and last exits; all are empty for an unknown player.",
  success: ok(foundPlayer),
})

const erase = endpoint({
  operation: 'players.erase',
  method: 'delete',
  path: '/v1/players/{player_id}',
  summary: "Removes a player from its lobbies, and the player's id and state from all stored data.",
  success: ACCEPTED,
})

export const PLAYER_ENDPOINTS: readonly Endpoint[] = [find, erase]
