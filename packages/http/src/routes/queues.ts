import { byKey, keyOf } from '../callers'
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
  summary: 'Makes a queue: how its lobbies behave, are paired and get their server.',
  body: newQueue,
  success: created(queue),
  handle: (call) =>
    call.matchyard.queues.create({ projectId: keyOf(call).projectId, ...call.body, by: byKey(call) }, call.options),
})

const list = endpoint({
  operation: 'queues.list',
  method: 'get',
  path: '/v1/queues',
  summary: "The project's queues, by queue id.",
  query: pageQuery,
  success: page(queue),
})

const get = endpoint({
  operation: 'queues.get',
  method: 'get',
  path: '/v1/queues/{queue_id}',
  summary: 'A queue.',
  success: ok(queue),
})

const update = endpoint({
  operation: 'queues.update',
  method: 'patch',
  path: '/v1/queues/{queue_id}',
  summary: 'Changes a queue from the next tick on; nested objects are replaced whole.',
  body: queueChanges,
  success: ok(queue),
})

const remove = endpoint({
  operation: 'queues.delete',
  method: 'delete',
  path: '/v1/queues/{queue_id}',
  summary: 'Removes a queue in which no lobby lives.',
  success: NO_CONTENT,
})

const stats = endpoint({
  operation: 'queues.stats',
  method: 'get',
  path: '/v1/queues/{queue_id}/stats',
  summary: 'Who searches, and how long the last hour waited.',
  success: ok(queueStats),
})

const arrivals = endpoint({
  operation: 'queues.arrivals',
  method: 'get',
  path: '/v1/queues/{queue_id}/arrivals',
  summary: 'Who came to the queue in the last day, and how it ended.',
  query: arrivalsQuery,
  success: ok(arrivalsPage),
})

const history = endpoint({
  operation: 'queues.history',
  method: 'get',
  path: '/v1/queues/{queue_id}/history',
  summary: 'Who changed the queue, when and what, newest first.',
  query: pageQuery,
  success: page(queueHistoryEntry),
})

const restore = endpoint({
  operation: 'queues.restore',
  method: 'post',
  path: '/v1/queues/{queue_id}/restore',
  summary: 'Gives the queue the settings again that it had at a version of its history.',
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
