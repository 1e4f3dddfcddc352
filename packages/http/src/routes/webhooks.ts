import { ownerOf, projectOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { projectPageQuery, projectQuery } from '../wire/query'
import { listed, pageOf } from '../wire/shared'
import { deliveriesQuery, delivery, newWebhook, webhook, webhookChanges, webhookWithSecret } from '../wire/webhook'
import { created, NO_CONTENT, ok } from './answers'

const create = endpoint({
  operation: 'webhooks.create',
  method: 'post',
  path: '/v1/webhooks',
  summary: 'Makes an address that is told what happens; its secret is shown this once.',
  query: projectQuery,
  body: newWebhook,
  success: created(webhookWithSecret),
  errors: ['PROJECT_NOT_FOUND', 'WEBHOOK_ADDRESS_REFUSED', 'WEBHOOK_LIMIT', 'WEBHOOK_NOT_FOUND'],
  async handle(call) {
    const input = { ...call.body, projectId: await projectOf(call) }
    return call.matchyard.webhooks.create(input, call.options)
  },
})

const list = endpoint({
  operation: 'webhooks.list',
  method: 'get',
  path: '/v1/webhooks',
  summary: "A project's webhooks, oldest first.",
  query: projectPageQuery,
  success: ok(pageOf(webhook)),
  errors: ['PROJECT_NOT_FOUND'],
  async handle(call) {
    const { limit, offset } = call.query
    const page = await call.matchyard.webhooks.list({ limit, offset, projectId: await projectOf(call) })
    return listed(page, call.query)
  },
})

const get = endpoint({
  operation: 'webhooks.get',
  method: 'get',
  path: '/v1/webhooks/{webhook_id}',
  summary: 'A webhook, without its secret.',
  success: ok(webhook),
  errors: ['WEBHOOK_NOT_FOUND'],
  handle: (call) => call.matchyard.webhooks.get(onWebhook(call)),
})

const update = endpoint({
  operation: 'webhooks.update',
  method: 'patch',
  path: '/v1/webhooks/{webhook_id}',
  summary: 'Replaces the supplied fields, from the next event on.',
  body: webhookChanges,
  success: ok(webhook),
  errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_ADDRESS_REFUSED'],
  handle: (call) => call.matchyard.webhooks.update({ ...onWebhook(call), changes: call.body }, call.options),
})

const remove = endpoint({
  operation: 'webhooks.delete',
  method: 'delete',
  path: '/v1/webhooks/{webhook_id}',
  summary: 'Removes a webhook; what was still to be sent to it is not.',
  success: NO_CONTENT,
  errors: ['WEBHOOK_NOT_FOUND'],
  handle: (call) => call.matchyard.webhooks.delete(onWebhook(call), call.options),
})

const rotateSecret = endpoint({
  operation: 'webhooks.rotateSecret',
  method: 'post',
  path: '/v1/webhooks/{webhook_id}/rotate-secret',
  summary: 'Another secret, shown this once; the one before signs too for 24 hours.',
  success: ok(webhookWithSecret),
  errors: ['WEBHOOK_NOT_FOUND'],
  handle: (call) => call.matchyard.webhooks.rotateSecret(onWebhook(call), call.options),
})

const deliveries = endpoint({
  operation: 'webhooks.deliveries',
  method: 'get',
  path: '/v1/webhooks/{webhook_id}/deliveries',
  summary: 'What was sent in the last seven days, newest first.',
  query: deliveriesQuery,
  success: ok(pageOf(delivery)),
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle(call) {
    const page = await call.matchyard.webhooks.deliveries({ ...call.query, ...onWebhook(call) })
    return listed(page, call.query)
  },
})

/** It is made at once, and sent in a moment. */
const SENT = { status: 202, description: 'It is being sent.', answer: delivery } as const

const redeliver = endpoint({
  operation: 'webhooks.redeliver',
  method: 'post',
  path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
  summary: 'Sends the message of a delivery once more, under the same id, as a delivery of its own.',
  success: SENT,
  errors: ['WEBHOOK_NOT_FOUND', 'NOT_FOUND'],
  handle: (call) =>
    call.matchyard.webhooks.redeliver({ ...onWebhook(call), deliveryId: call.params.delivery_id }, call.options),
})

const test = endpoint({
  operation: 'webhooks.test',
  method: 'post',
  path: '/v1/webhooks/{webhook_id}/test',
  summary: 'Sends a message of the type webhook.test.',
  success: SENT,
  errors: ['WEBHOOK_NOT_FOUND'],
  handle: (call) => call.matchyard.webhooks.test(onWebhook(call), call.options),
})

const onWebhook = (call: Parameters<typeof ownerOf>[0] & { readonly params: { readonly webhook_id: string } }) => ({
  ...ownerOf(call),
  webhookId: call.params.webhook_id,
})

export const WEBHOOK_ENDPOINTS: readonly Endpoint[] = [
  create,
  list,
  get,
  update,
  remove,
  rotateSecret,
  deliveries,
  redeliver,
  test,
]
