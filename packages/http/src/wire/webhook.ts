import { z } from '@hono/zod-openapi'
import {
  DELIVERY_STATUSES,
  type Delivery,
  type DeliveryAttempt,
  DISABLED_REASONS,
  MESSAGE_TYPES,
  type SentMessageType,
  type Webhook,
} from '@matchyard/core'
import { WEBHOOK_DESCRIPTION_LENGTH, WEBHOOK_URL_LENGTH } from '@matchyard/core/domain'
import {
  answerOf,
  bodyOf,
  extensionOf,
  given,
  instant,
  listOf,
  nullable,
  optional,
  plain,
  queryOf,
  required,
} from './codec/index'
import type { WebhookWithSecret } from './core-types'
import { paging } from './query'
import { flag, oneOf, string, text, whole } from './shared'

const url = text(WEBHOOK_URL_LENGTH)
const types = plain(z.array(z.enum(MESSAGE_TYPES)).min(1, 'must name one type at least').max(MESSAGE_TYPES.length))
const description = plain(text(WEBHOOK_DESCRIPTION_LENGTH).body.nullable())

export const newWebhook = bodyOf({
  url: required('url', url),
  types: optional('types', types),
  description: optional('description', description),
})

export const webhookChanges = bodyOf({
  url: optional('url', url),
  types: optional('types', types),
  enabled: optional('enabled', flag),
  description: optional('description', description),
})

const disabledReason = oneOf(DISABLED_REASONS)

export const webhook = answerOf<Webhook>()(
  {
    webhook_id: required('id', string),
    url: required('url', string),
    types: required('types', listOf(oneOf(MESSAGE_TYPES))),
    description: required('description', nullable(string)),
    enabled: required('enabled', flag),
    disabled_reason: required('disabledReason', nullable(disabledReason)),
    created_at: required('createdAt', instant),
    updated_at: required('updatedAt', instant),
  },
  'Webhook',
)

const secret = plain(z.string().openapi({ description: 'The secret, this once; not in a replayed answer.' }))

/** With its secret, unless the answer is a replayed one. */
export const webhookWithSecret = extensionOf(webhook, ({ webhook }: WebhookWithSecret) => webhook)(
  { secret: given('secret', secret) },
  'WebhookWithSecret',
)

const status = oneOf(DELIVERY_STATUSES)

export const deliveriesQuery = queryOf({ status: optional('status', status), ...paging })

const attempt = answerOf<DeliveryAttempt>()({
  at: required('at', instant),
  status_code: required('statusCode', nullable(whole)),
  error: required('error', nullable(string)),
  duration_ms: required('durationMs', plain(z.number())),
})

const type = plain(z.string()) as unknown as {
  readonly answer: z.ZodString
  readonly encode: (value: SentMessageType) => unknown
}

export const delivery = answerOf<Delivery>()(
  {
    delivery_id: required('id', string),
    webhook_id: required('webhookId', string),
    message_id: required('messageId', plain(z.string().openapi({ description: 'The `webhook-id` of every attempt.' }))),
    type: required('type', type),
    status: required('status', status),
    attempts: required('attempts', listOf(attempt)),
    next_attempt_at: required('nextAttemptAt', nullable(instant)),
    created_at: required('createdAt', instant),
  },
  'Delivery',
)
