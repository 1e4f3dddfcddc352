import { type Endpoint, endpoint } from '../endpoint'
import { apiKey, mintedKey, newKey } from '../wire/project'
import { pageQuery } from '../wire/query'
import { created, NO_CONTENT, page } from './answers'

const list = endpoint({
  operation: 'keys.list',
  method: 'get',
  path: '/v1/projects/{project_id}/keys',
  summary: "Lists the project's keys, including revoked ones, without their values.",
  query: pageQuery,
  success: page(apiKey),
})

const mint = endpoint({
  operation: 'keys.mint',
  method: 'post',
  path: '/v1/projects/{project_id}/keys',
  summary: 'Creates a key; its value is shown only once.',
  body: newKey,
  success: created(mintedKey),
})

const revoke = endpoint({
  operation: 'keys.revoke',
  method: 'delete',
  path: '/v1/projects/{project_id}/keys/{key_id}',
  summary: 'Revokes a key: its calls fail at once; servers that it started continue.',
  success: NO_CONTENT,
})

export const KEY_ENDPOINTS: readonly Endpoint[] = [list, mint, revoke]
