import { type Endpoint, endpoint } from '../endpoint'
import { projectPageQuery, projectQuery } from '../wire/query'
import { deliveriesQuery, delivery, newWebhook, webhook, webhookChanges, webhookWithSecret } from '../wire/webhook'
import { created, NO_CONTENT, ok, page } from './answers'

const create = endpoint({
  operation: 'webhooks.create',
  method: 'post',
  path: '/v1/webhooks',
  summary: 'Makes an address that is told what happens; its secret is shown this once.',
  query: projectQuery,
  body: newWebhook,
  success: created(webhookWithSecret),
})

const list = endpoint({
  operation: 'webhooks.list',
  method: 'get',
  path: '/v1/webhooks',
  summary: "A project's webhooks, oldest first.",
  query: projectPageQuery,
  success: page(webhook),
})

const get = endpoint({
  operation: 'webhooks.get',
  method: 'get',
  path: '/v1/webhooks/{webhook_id}',
  summary: 'A webhook, without its secret.',
  success: ok(webhook),
})

const update = endpoint({
  operation: 'webhooks.update',
  method: 'patch',
  path: '/v1/webhooks/{webhook_id}',
  summary: 'Replaces the supplied fields, from the next event on.',
  body: webhookChanges,
  success: ok(webhook),
})

const remove = endpoint({
  operation: 'webhooks.delete',
  method: 'delete',
  path: '/v1/webhooks/{webhook_id}',
  summary: 'Removes a webhook; what was still to be sent to it is not.',
  success: NO_CONTENT,
})

const rotateSecret = endpoint({
  operation: 'webhooks.rotateSecret',
  method: 'post',
  path: '/v1/webhooks/{webhook_id}/rotate-secret',
  summary: 'Another secret, shown this once; the one before signs too for 24 hours.',
  success: ok(webhookWithSecret),
})

const deliveries = endpoint({
  operation: 'webhooks.deliveries',
  method: 'get',
  path: '/v1/webhooks/{webhook_id}/deliveries',
  summary: 'What was sent in the last seven days, newest first.',
  query: deliveriesQuery,
  success: page(delivery),
})

/** The delivery is created at once and sent in a moment. */
const SENT = { status: 202, description: 'It is being sent.', answer: delivery } as const

const redeliver = endpoint({
  operation: 'webhooks.redeliver',
  method: 'post',
  path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
  summary: 'Sends the message of a delivery once more, under the same id, as a delivery of its own.',
  success: SENT,
})

const test = endpoint({
  operation: 'webhooks.test',
  method: 'post',
  path: '/v1/webhooks/{webhook_id}/test',
  summary: 'Sends a message of the type webhook.test.',
  success: SENT,
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
