import { projectOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { acknowledgedProblem, keptProblem, mutedProblem, problems } from '../wire/problem'
import { projectQuery } from '../wire/query'
import { ok } from './answers'

const list = endpoint({
  operation: 'problems.list',
  method: 'get',
  path: '/v1/problems',
  summary: 'Lists the problems of a project, the most severe first and muted ones last.',
  query: projectQuery,
  success: ok(problems),
  handle: async (call) => ({ problems: await call.matchyard.problems.list({ projectId: await projectOf(call) }) }),
})

const acknowledge = endpoint({
  operation: 'problems.acknowledge',
  method: 'post',
  path: '/v1/problems/{problem_id}/acknowledge',
  summary: 'Records that somebody looks after an open problem, with a note.',
  query: projectQuery,
  body: acknowledgedProblem,
  bodyOptional: true,
  success: ok(keptProblem),
})

const mute = endpoint({
  operation: 'problems.mute',
  method: 'post',
  path: '/v1/problems/{problem_id}/mute',
  summary: 'Mutes an open problem for a time, or ends its mute.',
  query: projectQuery,
  body: mutedProblem,
  success: ok(keptProblem),
})

export const PROBLEM_ENDPOINTS: readonly Endpoint[] = [list, acknowledge, mute]
