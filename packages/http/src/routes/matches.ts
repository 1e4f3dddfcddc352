import { keyOf } from '../callers'
import { type Endpoint, endpoint, Otherwise } from '../endpoint'
import { assignedServer, assignment } from '../wire/assignment'
import { backfill, newBackfill } from '../wire/backfill'
import { joinToken } from '../wire/join-token'
import { match, matchesQuery } from '../wire/match'
import { stretchOf } from '../wire/shared'
import { created, NO_CONTENT, ok } from './answers'

const list = endpoint({
  operation: 'matches.list',
  method: 'get',
  path: '/v1/matches',
  summary: "The project's matches, newest first, from a cursor on; proposals that came to nothing are left out.",
  query: matchesQuery,
  success: ok(stretchOf(match)),
  async handle({ matchyard, query, ...call }) {
    const { data, nextCursor } = await matchyard.matches.list({ ...query, projectId: keyOf(call).projectId })
    return { limit: query.limit, nextCursor, data }
  },
})

const get = endpoint({
  operation: 'matches.get',
  method: 'get',
  path: '/v1/matches/{match_id}',
  summary: 'A match: who plays in which team, and where.',
  success: ok(match),
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
  async handle(call) {
    const input = { ...call.body, projectId: keyOf(call).projectId, matchId: call.params.match_id }
    const assigned = await call.matchyard.matches.assign(input, call.options)
    return assigned.isNew ? assigned : new Otherwise(assigned)
  },
})

const requestBackfill = endpoint({
  operation: 'matches.backfill',
  method: 'post',
  path: '/v1/matches/{match_id}/backfill',
  summary: 'Asks for newcomers for open seats of a running match, in place of what it asked for before.',
  body: newBackfill,
  bodyOptional: true,
  success: created(backfill),
})

const getBackfill = endpoint({
  operation: 'matches.getBackfill',
  method: 'get',
  path: '/v1/matches/{match_id}/backfill',
  summary: 'What a match asks for now.',
  success: ok(backfill),
})

const cancelBackfill = endpoint({
  operation: 'matches.cancelBackfill',
  method: 'delete',
  path: '/v1/matches/{match_id}/backfill',
  summary: 'The match asks for nobody any more.',
  success: NO_CONTENT,
})

const issueJoinToken = endpoint({
  operation: 'matches.joinToken',
  method: 'post',
  path: '/v1/matches/{match_id}/join-token',
  summary: 'A token by which the game server of the match lets the calling player in, without asking anybody.',
  success: ok(joinToken),
})

export const MATCH_ENDPOINTS: readonly Endpoint[] = [
  list,
  get,
  assign,
  requestBackfill,
  getBackfill,
  cancelBackfill,
  issueJoinToken,
]
