import type { Webhook } from '@matchyard/core'
import { webhookAsSeenBy } from '@matchyard/core/domain'
import { callHandler } from '../call-handler'
import { type Call, type Endpoint, endpoint } from '../endpoint'
import { projectPageQuery, projectQuery } from '../wire/query'
import { deliveriesQuery, delivery, newWebhook, webhook, webhookChanges, webhookWithSecret } from '../wire/webhook'
import { created, NO_CONTENT, ok, page } from './answers'

const create = endpoint({
  operation: 'webhooks.create',
  method: 'post',
  path: '/v1/webhooks',
  summary: 'Creates a webhook; its secret is shown only once.',
  query: projectQuery,
  body: newWebhook,
  success: created(webhookWithSecret),
})

const list = endpoint({
  operation: 'webhooks.list',
  method: 'get',
  path: '/v1/webhooks',
  summary: "Lists a project's webhooks, oldest first.",
  query: projectPageQuery,
  success: page(webhook),
})

const get = endpoint({
  operation: 'webhooks.get',
  method: 'get',
  path: '/v1/webhooks/{webhook_id}',
  summary: 'Returns a webhook without its secret.',
  success: ok(webhook),
})

const update = endpoint({
  operation: 'webhooks.update',
  method: 'patch',
  path: '/v1/webhooks/{webhook_id}',
  summary: 'Replaces the given fields, from the next event on.',
  body: webhookChanges,
  success: ok(webhook),
})

const remove = endpoint({
  operation: 'webhooks.delete',
  method: 'delete',
  path: '/v1/webhooks/{webhook_id}',
  summary: 'Deletes a webhook; its waiting messages are not sent.',
  success: NO_CONTENT,
})

const rotateSecret = endpoint({
  operation: 'webhooks.rotateSecret',
  method: 'post',
  path: '/v1/webhooks/{webhook_id}/rotate-secret',
  summary: 'Replaces the secret; the new one is shown only once. The old secret also signs for 24 hours.',
  success: ok(webhookWithSecret),
})

const deliveries = endpoint({
  operation: 'webhooks.deliveries',
  method: 'get',
  path: '/v1/webhooks/{webhook_id}/deliveries',
  summary: 'Lists the deliveries of the last seven days, newest first.',
  query: deliveriesQuery,
  success: page(delivery),
})

/** Success of a call that sends a message: the delivery is created at once and sent shortly after. */
const SENT = { status: 202, description: 'The message was accepted for sending.', answer: delivery } as const

const redeliver = endpoint({
  operation: 'webhooks.redeliver',
  method: 'post',
  path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
  summary: 'Sends the message of a delivery again with the same id, as a new delivery.',
  success: SENT,
})

const test = endpoint({
  operation: 'webhooks.test',
  method: 'post',
  path: '/v1/webhooks/{webhook_id}/test',
  summary: 'Sends a message of the type webhook.test.',
  success: SENT,
})

type Told = Webhook | { readonly webhook: Webhook } | { readonly data: readonly Webhook[] }

/** Returns a route whose answers show addresses of webhooks as the role of the caller may see them. */
function asSeen(route: Endpoint): Endpoint {
  const answer = callHandler(route)
  const handle = async (call: Call<Record<string, string>, unknown, unknown>) => {
    const { caller } = call
    const told = (await answer(call)) as Told
    if (caller === undefined) return told
    if ('data' in told) return { ...told, data: told.data.map((one) => webhookAsSeenBy(one, caller)) }
    if ('webhook' in told) return { ...told, webhook: webhookAsSeenBy(told.webhook, caller) }
    return webhookAsSeenBy(told, caller)
  }
  return { ...route, handle }
}

export const WEBHOOK_ENDPOINTS: readonly Endpoint[] = [
  ...[create, list, get, update, rotateSecret].map(asSeen),
  ...[remove, deliveries, redeliver, test],
]
