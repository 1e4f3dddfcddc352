import { keyOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { matchSchema, toMatchWire } from '../wire/match'
import { ok } from './answers'

const get = endpoint({
  operation: 'matches.get',
  method: 'get',
  path: '/v1/matches/{match_id}',
  summary: 'A match: who plays in which team, and where.',
  success: ok(matchSchema),
  errors: ['MATCH_NOT_FOUND'],
  async handle(call) {
    const input = { projectId: keyOf(call).projectId, matchId: call.params.match_id }
    const { match, server } = await call.matchyard.matches.get(input)
    return toMatchWire(match, server)
  },
})

export const MATCH_ENDPOINTS: readonly Endpoint[] = [get]
