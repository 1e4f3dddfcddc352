import { keyOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { pageQuery } from '../wire/query'
import { newQueue, queue, queueChanges, queueHistoryEntry, queueRestore } from '../wire/queue'
import { arrivalsPage, arrivalsQuery } from '../wire/queue-arrivals'
import { queueStats } from '../wire/queue-stats'
import { listed, pageOf } from '../wire/shared'
import { created, NO_CONTENT, ok } from './answers'

const create = endpoint({
  operation: 'queues.create',
  method: 'post',
  path: '/v1/queues',
  summary: 'Makes a queue: how its lobbies behave, are paired and get their server.',
  body: newQueue,
  success: created(queue),
  errors: ['PLAN_LIMIT_EXCEEDED', 'QUEUE_EXISTS', 'QUEUE_NOT_FOUND'],
  handle: (call) =>
    call.matchyard.queues.create({ projectId: keyOf(call).projectId, ...call.body, by: byKey(call) }, call.options),
})

const list = endpoint({
  operation: 'queues.list',
  method: 'get',
  path: '/v1/queues',
  summary: "The project's queues, by queue id.",
  query: pageQuery,
  success: ok(pageOf(queue)),
  errors: [],
  async handle(call) {
    const page = await call.matchyard.queues.list({ projectId: keyOf(call).projectId, ...call.query })
    return listed(page, call.query)
  },
})

const get = endpoint({
  operation: 'queues.get',
  method: 'get',
  path: '/v1/queues/{queue_id}',
  summary: 'A queue.',
  success: ok(queue),
  errors: ['QUEUE_NOT_FOUND'],
  handle: (call) => call.matchyard.queues.get(onQueue(call)),
})

const update = endpoint({
  operation: 'queues.update',
  method: 'patch',
  path: '/v1/queues/{queue_id}',
  summary: 'Changes a queue from the next tick on; nested objects are replaced whole.',
  body: queueChanges,
  success: ok(queue),
  errors: ['QUEUE_NOT_FOUND'],
  handle: (call) =>
    call.matchyard.queues.update({ ...onQueue(call), changes: call.body, by: byKey(call) }, call.options),
})

const remove = endpoint({
  operation: 'queues.delete',
  method: 'delete',
  path: '/v1/queues/{queue_id}',
  summary: 'Removes a queue in which no lobby lives.',
  success: NO_CONTENT,
  errors: ['QUEUE_NOT_FOUND', 'QUEUE_IN_USE'],
  handle: (call) => call.matchyard.queues.delete(onQueue(call), call.options),
})

const stats = endpoint({
  operation: 'queues.stats',
  method: 'get',
  path: '/v1/queues/{queue_id}/stats',
  summary: 'Who searches, and how long the last hour waited.',
  success: ok(queueStats),
  errors: ['QUEUE_NOT_FOUND'],
  handle: (call) => call.matchyard.queues.stats(onQueue(call)),
})

const arrivals = endpoint({
  operation: 'queues.arrivals',
  method: 'get',
  path: '/v1/queues/{queue_id}/arrivals',
  summary: 'Who came to the queue in the last day, and how it ended.',
  query: arrivalsQuery,
  success: ok(arrivalsPage),
  errors: ['QUEUE_NOT_FOUND'],
  handle: (call) => call.matchyard.queues.arrivals({ ...onQueue(call), ...call.query }),
})

const history = endpoint({
  operation: 'queues.history',
  method: 'get',
  path: '/v1/queues/{queue_id}/history',
  summary: 'Who changed the queue, when and what, newest first.',
  query: pageQuery,
  success: ok(pageOf(queueHistoryEntry)),
  errors: ['QUEUE_NOT_FOUND'],
  async handle(call) {
    return listed(await call.matchyard.queues.history({ ...onQueue(call), ...call.query }), call.query)
  },
})

const restore = endpoint({
  operation: 'queues.restore',
  method: 'post',
  path: '/v1/queues/{queue_id}/restore',
  summary: 'Gives the queue the settings again that it had at a version of its history.',
  body: queueRestore,
  success: ok(queue),
  errors: ['QUEUE_NOT_FOUND', 'QUEUE_VERSION_NOT_FOUND'],
  handle: (call) => call.matchyard.queues.restore({ ...onQueue(call), ...call.body, by: byKey(call) }, call.options),
})

/** For the queue's history. */
const byKey = (call: Parameters<typeof keyOf>[0]) => ({ kind: 'key', id: keyOf(call).keyId }) as const

const onQueue = (call: Parameters<typeof keyOf>[0] & { readonly params: { readonly queue_id: string } }) => ({
  projectId: keyOf(call).projectId,
  queueId: call.params.queue_id,
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
