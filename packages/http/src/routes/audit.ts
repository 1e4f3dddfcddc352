import { DEFAULT_PAGE_LIMIT } from '@matchyard/core/domain'
import { keyOf, projectOf, sessionOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { auditEntry, auditQuery } from '../wire/audit'
import { stretchOf } from '../wire/shared'
import { ok } from './answers'

const list = endpoint({
  operation: 'audit.list',
  method: 'get',
  path: '/v1/audit',
  summary: 'Lists the changes that people and server keys made, newest first, by cursor.',
  query: auditQuery,
  success: ok(stretchOf(auditEntry)),
  async handle(call) {
    const { projectId: named, limit = DEFAULT_PAGE_LIMIT, ...filter } = call.query
    const isOfAccount = call.caller?.kind === 'session' && named === undefined
    const scope = isOfAccount
      ? { accountId: sessionOf(call).accountId }
      : { projectId: call.caller?.kind === 'session' ? await projectOf(call) : keyOf(call).projectId }
    const { data, nextCursor } = await call.matchyard.audit.list({ ...scope, ...filter, limit })
    return { limit, nextCursor, data }
  },
})

export const AUDIT_ENDPOINTS: readonly Endpoint[] = [list]
