import { keyOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { ACCEPTED } from './answers'

const erase = endpoint({
  operation: 'players.erase',
  method: 'delete',
  path: '/v1/players/{player_id}',
  summary: 'Takes a player out of its lobbies, and its id and state out of all that is kept.',
  success: ACCEPTED,
  errors: [],
  handle: (call) => call.matchyard.players.erase({ projectId: keyOf(call).projectId, playerId: call.params.player_id }),
})

export const PLAYER_ENDPOINTS: readonly Endpoint[] = [erase]
