import { authorOf, keyOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { pageQuery } from '../wire/query'
import { newQueue, queue, queueChanges, queueHistoryEntry, queueRestore } from '../wire/queue'
import { arrivalsPage, arrivalsQuery } from '../wire/queue-arrivals'
import { queueStats } from '../wire/queue-stats'
import { created, NO_CONTENT, ok, page } from './answers'

const create = endpoint({
  operation: 'queues.create',
  method: 'post',
  path: '/v1/queues',
  summary: 'Creates a queue: settings of its lobbies, matchmaking and game servers.',
  body: newQueue,
  success: created(queue),
  handle: (call) =>
    call.matchyard.queues.create({ projectId: keyOf(call).projectId, ...call.body, by: authorOf(call) }, call.options),
})

const list = endpoint({
  operation: 'queues.list',
  method: 'get',
  path: '/v1/queues',
  summary: "Lists the project's queues, sorted by queue id.",
  query: pageQuery,
  success: page(queue),
})

const get = endpoint({
  operation: 'queues.get',
  method: 'get',
  path: '/v1/queues/{queue_id}',
  summary: 'Returns a queue.',
  success: ok(queue),
})

const update = endpoint({
  operation: 'queues.update',
  method: 'patch',
  path: '/v1/queues/{queue_id}',
  summary: 'Changes a queue from the next matchmaking tick on; nested objects are replaced completely.',
  body: queueChanges,
  success: ok(queue),
})

const remove = endpoint({
  operation: 'queues.delete',
  method: 'delete',
  path: '/v1/queues/{queue_id}',
  summary: 'Deletes a queue that has no lobby.',
  success: NO_CONTENT,
})

const stats = endpoint({
  operation: 'queues.stats',
  method: 'get',
  path: '/v1/queues/{queue_id}/stats',
  summary: 'Returns statistics of the queue: searching players, and waits of the last hour.',
  success: ok(queueStats),
})

const arrivals = endpoint({
  operation: 'queues.arrivals',
  method: 'get',
  path: '/v1/queues/{queue_id}/arrivals',
  summary: 'Lists the lobbies that entered the queue in the last day, with their outcomes.',
  query: arrivalsQuery,
  success: ok(arrivalsPage),
})

const history = endpoint({
  operation: 'queues.history',
  method: 'get',
  path: '/v1/queues/{queue_id}/history',
  summary: 'Lists the changes of the queue with their authors, newest first.',
  query: pageQuery,
  success: page(queueHistoryEntry),
})

const restore = endpoint({
  operation: 'queues.restore',
  method: 'post',
  path: '/v1/queues/{queue_id}/restore',
  summary: 'Restores the settings of the queue at a version of its history.',
  body: queueRestore,
  success: ok(queue),
})

export const QUEUE_ENDPOINTS: readonly Endpoint[] = [
  create,
  list,
  get,
  update,
  remove,
  stats,
  arrivals,
  history,
  restore,
]
