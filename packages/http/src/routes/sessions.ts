import { DEFAULT_PAGE_LIMIT } from '@matchyard/core/domain'
import { sessionOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { listedSession, sessionQuery } from '../wire/session'
import { stretchOf } from '../wire/shared'
import { NO_CONTENT, ok } from './answers'

const list = endpoint({
  operation: 'sessions.list',
  method: 'get',
  path: '/v1/account/sessions',
  summary: 'Lists the valid sessions of the account, newest first, by cursor.',
  query: sessionQuery,
  success: ok(stretchOf(listedSession)),
  async handle(call) {
    const { limit = DEFAULT_PAGE_LIMIT, cursor } = call.query
    const { data, nextCursor } = await call.matchyard.sessions.list({ ...sessionOf(call), cursor, limit })
    return { limit, nextCursor, data }
  },
})

const end = endpoint({
  operation: 'sessions.end',
  method: 'delete',
  path: '/v1/account/sessions/{session_id}',
  summary: 'Ends a session of the account; its token is refused at once.',
  success: NO_CONTENT,
})

export const SESSION_ENDPOINTS: readonly Endpoint[] = [list, end]
