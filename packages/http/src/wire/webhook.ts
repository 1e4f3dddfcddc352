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
import { flag, nameText, oneOf, string, text, whole } from './shared'

const url = text(WEBHOOK_URL_LENGTH)
const types = plain(z.array(z.enum(MESSAGE_TYPES)).min(1, 'must name one type at least').max(MESSAGE_TYPES.length))
const description = plain(nameText(WEBHOOK_DESCRIPTION_LENGTH).body.nullable())

export const newWebhook = bodyOf({
  url: required('url', url, 'The address, https unless the operator allows others.'),
  types: optional('types', types, 'What it is told; everything unless said.'),
  description: optional('description', description, 'What it is for; null unless said.'),
})

export const webhookChanges = bodyOf({
  url: optional('url', url, 'The address.'),
  types: optional('types', types, 'What it is told.'),
  enabled: optional('enabled', flag, 'Whether it is told anything; one that was shut off begins anew by `true`.'),
  description: optional('description', description, 'What it is for.'),
})

const disabledReason = oneOf(DISABLED_REASONS)

export const webhook = answerOf<Webhook>()(
  {
    webhook_id: required('id', string, 'Its id.'),
    url: required('url', string, 'The address.'),
    types: required('types', listOf(oneOf(MESSAGE_TYPES)), 'What it is told.'),
    description: required('description', nullable(string), 'What it is for.'),
    enabled: required('enabled', flag, 'Whether it is told anything.'),
    disabled_reason: required(
      'disabledReason',
      nullable(disabledReason),
      'Why the service shut it off: `gone`, it answered 410; `failing`, nothing but failures for five days. Null where it did not.',
    ),
    created_at: required('createdAt', instant, 'When it was made.'),
    updated_at: required('updatedAt', instant, 'When it changed last.'),
  },
  'Webhook',
  'An address that is told what happens.',
)

const secret = plain(z.string().openapi({ description: 'The secret, this once; not in a replayed answer.' }))

/** With its secret, unless the answer is a replayed one. */
export const webhookWithSecret = extensionOf(webhook, ({ webhook }: WebhookWithSecret) => webhook)(
  { secret: given('secret', secret) },
  'WebhookWithSecret',
  'A webhook, with the secret that signs what it is sent.',
)

const status = oneOf(DELIVERY_STATUSES)

export const deliveriesQuery = queryOf({ status: optional('status', status, 'Only those in this status.'), ...paging })

const attempt = answerOf<DeliveryAttempt>()({
  at: required('at', instant, 'When.'),
  status_code: required('statusCode', nullable(whole), 'What was answered; null where nothing was.'),
  error: required('error', nullable(string), 'What was wrong; null where nothing was.'),
  duration_ms: required('durationMs', plain(z.number()), 'How long it took, in milliseconds.'),
})

const type = plain(z.string()) as unknown as {
  readonly answer: z.ZodString
  readonly encode: (value: SentMessageType) => unknown
}

export const delivery = answerOf<Delivery>()(
  {
    delivery_id: required('id', string, 'Its id.'),
    webhook_id: required('webhookId', string, 'To whom.'),
    message_id: required('messageId', plain(z.string().openapi({ description: 'The `webhook-id` of every attempt.' }))),
    type: required('type', type, 'What happened.'),
    status: required('status', status, 'Whether it has come; it is tried again while it is `pending`.'),
    attempts: required('attempts', listOf(attempt), 'Each try, the first one first.'),
    next_attempt_at: required('nextAttemptAt', nullable(instant), 'When it is tried again; null where it is not.'),
    created_at: required('createdAt', instant, 'When it was made.'),
  },
  'Delivery',
  'A message to a webhook, and what became of it.',
)
