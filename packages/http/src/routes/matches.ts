import { keyOf } from '../callers'
import { type Endpoint, endpoint, Otherwise } from '../endpoint'
import { assignedServer, assignment } from '../wire/assignment'
import { match } from '../wire/match'
import { created, ok } from './answers'

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

const assign = endpoint({
  operation: 'matches.assign',
  method: 'post',
  path: '/v1/matches/{match_id}/server',
  summary: 'A backend tells on which server of its own a match is played, or that it is played elsewhere now.',
  body: assignment,
  success: created(assignedServer),
  otherwise: {
    status: 200,
    description: 'It had a server before: the same, or another address for all of its lobbies.',
  },
  errors: ['MATCH_NOT_FOUND', 'INVALID_MATCH_STATE'],
  async handle(call) {
    const input = { ...call.body, projectId: keyOf(call).projectId, matchId: call.params.match_id }
    const assigned = await call.matchyard.matches.assign(input, call.options)
    return assigned.isNew ? assigned : new Otherwise(assigned)
  },
})

export const MATCH_ENDPOINTS: readonly Endpoint[] = [get, assign]
