import { keyOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { match } from '../wire/match'
import { ok } from './answers'

const get = endpoint({
  operation: 'matches.get',
  method: 'get',
  path: '/v1/matches/{match_id}',
  summary: 'A match: who plays in which team, and where.',
  success: ok(match),
  errors: ['MATCH_NOT_FOUND'],
  async handle(call) {
    const input = { projectId: keyOf(call).projectId, matchId: call.params.match_id }
    const found = await call.matchyard.matches.get(input)
    return { ...found.match, server: found.server }
  },
})

export const MATCH_ENDPOINTS: readonly Endpoint[] = [get]
