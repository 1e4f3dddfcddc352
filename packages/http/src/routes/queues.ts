import { z } from '@hono/zod-openapi'
import { keyOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { paging } from '../wire/query'
import { createQueueBody, queueSchema, toQueueSettings, toQueueWire, updateQueueBody } from '../wire/queue'
import { queueStatsSchema, toQueueStatsWire } from '../wire/queue-stats'
import { envelopeOf, toEnvelopeWire } from '../wire/shared'
import { created, NO_CONTENT, ok } from './answers'

const create = endpoint({
  operation: 'queues.create',
  method: 'post',
  path: '/v1/queues',
  summary: 'Makes a queue: how its lobbies behave, are paired and get their server.',
  body: createQueueBody,
  success: created(queueSchema),
  errors: ['PLAN_LIMIT_EXCEEDED', 'QUEUE_EXISTS'],
  async handle(call) {
    const { queue_id: queueId, name, ...settings } = call.body
    const input = { projectId: keyOf(call).projectId, queueId, name, ...toQueueSettings(settings) }
    return toQueueWire(await call.matchyard.queues.create(input, call.options))
  },
})

const list = endpoint({
  operation: 'queues.list',
  method: 'get',
  path: '/v1/queues',
  summary: "The project's queues, by queue id.",
  query: z.object(paging),
  success: ok(envelopeOf(queueSchema)),
  errors: [],
  async handle(call) {
    const page = await call.matchyard.queues.list({ projectId: keyOf(call).projectId, ...call.query })
    return toEnvelopeWire(page, call.query, toQueueWire)
  },
})

const get = endpoint({
  operation: 'queues.get',
  method: 'get',
  path: '/v1/queues/{queue_id}',
  summary: 'A queue.',
  success: ok(queueSchema),
  errors: ['QUEUE_NOT_FOUND'],
  handle: async (call) => toQueueWire(await call.matchyard.queues.get(onQueue(call))),
})

const update = endpoint({
  operation: 'queues.update',
  method: 'patch',
  path: '/v1/queues/{queue_id}',
  summary: 'Changes a queue from the next tick on; nested objects are replaced whole.',
  body: updateQueueBody,
  success: ok(queueSchema),
  errors: ['QUEUE_NOT_FOUND'],
  async handle(call) {
    const changes = { name: call.body.name, ...toQueueSettings(call.body) }
    return toQueueWire(await call.matchyard.queues.update({ ...onQueue(call), changes }))
  },
})

const remove = endpoint({
  operation: 'queues.delete',
  method: 'delete',
  path: '/v1/queues/{queue_id}',
  summary: 'Removes a queue in which no lobby lives.',
  success: NO_CONTENT,
  errors: ['QUEUE_NOT_FOUND', 'QUEUE_IN_USE'],
  handle: (call) => call.matchyard.queues.delete(onQueue(call)),
})

const stats = endpoint({
  operation: 'queues.stats',
  method: 'get',
  path: '/v1/queues/{queue_id}/stats',
  summary: 'Who searches, and how long the last hour waited.',
  success: ok(queueStatsSchema),
  errors: ['QUEUE_NOT_FOUND'],
  handle: async (call) => toQueueStatsWire(await call.matchyard.queues.stats(onQueue(call))),
})

const onQueue = (call: Parameters<typeof keyOf>[0] & { readonly params: { readonly queue_id: string } }) => ({
  projectId: keyOf(call).projectId,
  queueId: call.params.queue_id,
})

export const QUEUE_ENDPOINTS: readonly Endpoint[] = [create, list, get, update, remove, stats]
