import { projectOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { problems } from '../wire/problem'
import { projectQuery } from '../wire/query'
import { ok } from './answers'

const list = endpoint({
  operation: 'problems.list',
  method: 'get',
  path: '/v1/problems',
  summary: 'Lists the problems of a project, the most severe first.',
  query: projectQuery,
  success: ok(problems),
  handle: async (call) => ({ problems: await call.matchyard.problems.list({ projectId: await projectOf(call) }) }),
})

export const PROBLEM_ENDPOINTS: readonly Endpoint[] = [list]
