import { projectOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { projectQuery } from '../wire/query'
import { secretList, secretValue } from '../wire/secret'
import { NO_CONTENT, ok } from './answers'

const set = endpoint({
  operation: 'secrets.set',
  method: 'put',
  path: '/v1/secrets/{name}',
  summary: 'Sets the value of a secret for environment variables of game servers.',
  query: projectQuery,
  body: secretValue,
  success: NO_CONTENT,
})

const list = endpoint({
  operation: 'secrets.list',
  method: 'get',
  path: '/v1/secrets',
  summary: "Lists the names and times of the project's secrets.",
  query: projectQuery,
  success: ok(secretList),
  handle: async (call) => ({ secrets: await call.matchyard.secrets.list({ projectId: await projectOf(call) }) }),
})

const remove = endpoint({
  operation: 'secrets.delete',
  method: 'delete',
  path: '/v1/secrets/{name}',
  summary: 'Deletes a secret; launches that name it fail from now on.',
  query: projectQuery,
  success: NO_CONTENT,
})

export const SECRET_ENDPOINTS: readonly Endpoint[] = [set, list, remove]
