import { projectOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { problems } from '../wire/problem'
import { projectQuery } from '../wire/query'
import { ok } from './answers'

const list = endpoint({
  operation: 'problems.list',
  method: 'get',
  path: '/v1/problems',
  summary: 'What is wrong in a project, in sentences, the gravest first.',
  query: projectQuery,
  success: ok(problems),
  handle: async (call) => ({ problems: await call.matchyard.problems.list({ projectId: await projectOf(call) }) }),
})

export const PROBLEM_ENDPOINTS: readonly Endpoint[] = [list]
