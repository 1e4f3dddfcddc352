import { sessionOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { apiKey, mintedKey, newKey } from '../wire/project'
import { pageQuery } from '../wire/query'
import { listed, pageOf } from '../wire/shared'
import { created, NO_CONTENT, ok } from './answers'

const list = endpoint({
  operation: 'keys.list',
  method: 'get',
  path: '/v1/projects/{project_id}/keys',
  summary: "The project's keys, revoked ones too, without their values.",
  query: pageQuery,
  success: ok(pageOf(apiKey)),
  errors: ['PROJECT_NOT_FOUND'],
  async handle(call) {
    const { accountId } = sessionOf(call)
    const page = await call.matchyard.keys.list({ accountId, projectId: call.params.project_id, ...call.query })
    return listed(page, call.query)
  },
})

const mint = endpoint({
  operation: 'keys.mint',
  method: 'post',
  path: '/v1/projects/{project_id}/keys',
  summary: 'Mints a key; its value is shown this once.',
  body: newKey,
  success: created(mintedKey),
  errors: ['PROJECT_NOT_FOUND', 'PLAN_LIMIT_EXCEEDED'],
  async handle(call) {
    const { accountId } = sessionOf(call)
    const input = { accountId, projectId: call.params.project_id, ...call.body }
    return call.matchyard.keys.mint(input, call.options)
  },
})

const revoke = endpoint({
  operation: 'keys.revoke',
  method: 'delete',
  path: '/v1/projects/{project_id}/keys/{key_id}',
  summary: 'Revokes a key: it fails at once; servers that it started go on.',
  success: NO_CONTENT,
  errors: ['PROJECT_NOT_FOUND', 'KEY_NOT_FOUND', 'KEY_REVOKED'],
  async handle(call) {
    const { accountId } = sessionOf(call)
    const { project_id: projectId, key_id: keyId } = call.params
    await call.matchyard.keys.revoke({ accountId, projectId, keyId }, call.options)
  },
})

export const KEY_ENDPOINTS: readonly Endpoint[] = [list, mint, revoke]
