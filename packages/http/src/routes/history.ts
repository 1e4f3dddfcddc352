import { HISTORY_SERIES } from '@matchyard/core/ports'
import { projectOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { history, historyQuery } from '../wire/history'
import { ok } from './answers'

const read = endpoint({
  operation: 'history.read',
  method: 'get',
  path: '/v1/metrics',
  summary: 'Returns figures of the project, or of a queue, over time.',
  query: historyQuery,
  success: ok(history),
  handle: async (call) => {
    const { series = HISTORY_SERIES, ...query } = call.query
    return call.matchyard.history.read({ ...query, series, projectId: await projectOf(call) })
  },
})

export const HISTORY_ENDPOINTS: readonly Endpoint[] = [read]
