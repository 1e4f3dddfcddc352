import { type Endpoint, endpoint } from '../endpoint'
import { foundPlayer } from '../wire/found-player'
import { ACCEPTED, ok } from './answers'

const find = endpoint({
  operation: 'players.find',
  method: 'get',
  path: '/v1/players/{player_id}',
  summary: 'Where a player is, what it played last and how its lobbies came back; one whom nobody knows has nothing.',
  success: ok(foundPlayer),
})

const erase = endpoint({
  operation: 'players.erase',
  method: 'delete',
  path: '/v1/players/{player_id}',
  summary: 'Takes a player out of its lobbies, and its id and state out of all that is kept.',
  success: ACCEPTED,
})

export const PLAYER_ENDPOINTS: readonly Endpoint[] = [find, erase]
