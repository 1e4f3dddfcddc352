import { z } from '@hono/zod-openapi'
import {
  DELIVERY_STATUSES,
  type Delivery,
  type DeliveryAttempt,
  DISABLED_REASONS,
  MESSAGE_TYPES,
  type SentMessageType,
  WEBHOOK_FORMATS,
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
  NAMES_OF,
  nullable,
  optional,
  plain,
  queryOf,
  required,
  told,
} from './codec/index'
import type { WebhookWithSecret } from './core-types'
import { paging } from './query'
import { flag, nameText, number, oneOf, string, text, whole } from './shared'

const url = text(WEBHOOK_URL_LENGTH)
const types = plain(
  z.array(z.enum(MESSAGE_TYPES)).min(1, 'must contain at least one event type').max(MESSAGE_TYPES.length),
)
const description = plain(nameText(WEBHOOK_DESCRIPTION_LENGTH).body.nullable())

const format = oneOf(WEBHOOK_FORMATS)
const FORMAT_WORDS =
  'Shape of the bodies: `plain` by default, `slack`, or `pagerduty` with the parameter `routing_key` in `url`.'

export const newWebhook = bodyOf({
  url: required(url, 'Address; https unless the operator allows others.'),
  types: optional(types, 'Event types; all by default.'),
  description: optional(description, 'Description; null by default.'),
  format: optional(format, FORMAT_WORDS),
})

export const webhookChanges = bodyOf({
  url: optional(url, 'The address.'),
  types: optional(types, 'Event types that the webhook gets.'),
  enabled: optional(flag, 'Whether the webhook gets messages; `true` enables a disabled webhook again.'),
  description: optional(description, 'Description of the webhook.'),
  format: optional(format, FORMAT_WORDS),
})

const disabledReason = oneOf(DISABLED_REASONS)

export const webhook = answerOf<Webhook>(NAMES_OF.webhook)(
  {
    id: required(string, 'Id.'),
    url: required(string, 'The address; for roles below `admin` without its path and query, in whose place is `…`.'),
    types: required(listOf(oneOf(MESSAGE_TYPES)), 'Event types that the webhook gets.'),
    description: required(nullable(string), 'Description of the webhook.'),
    format: told(format, ({ format }: Webhook) => format ?? 'plain', 'Shape of the bodies.'),
    enabled: required(flag, 'Whether the webhook gets messages.'),
    disabledReason: required(
      nullable(disabledReason),
      'Reason why the service disabled the webhook: `gone` (it answered 410) or `failing` (five days of failures). Else null.',
    ),
    createdAt: required(instant, 'Time of creation.'),
    updatedAt: required(instant, 'Time of the last change.'),
  },
  'Webhook',
  'An address that gets messages about events.',
)

/** Codec of a webhook. The answer contains the webhook's secret unless the call was a repetition. */
export const webhookWithSecret = extensionOf(webhook, ({ webhook }: WebhookWithSecret) => webhook)(
  { secret: given(string, 'Secret, shown only once and not in a replayed answer.') },
  'WebhookWithSecret',
  'A webhook, with the secret that signs its messages.',
)

const status = oneOf(DELIVERY_STATUSES)

export const deliveriesQuery = queryOf({ status: optional(status, 'Only deliveries in this status.'), ...paging })

const attempt = answerOf<DeliveryAttempt>()({
  at: required(instant, 'Time of the attempt.'),
  statusCode: required(nullable(whole), 'HTTP status of the answer; null without an answer.'),
  error: required(nullable(string), 'Error of the attempt; null when it succeeded.'),
  durationMs: required(number, 'Duration in milliseconds.'),
})

const type = plain(z.string()) as unknown as {
  readonly answer: z.ZodString
  readonly encode: (value: SentMessageType) => unknown
}

export const delivery = answerOf<Delivery>(NAMES_OF.delivery)(
  {
    id: required(string, 'Id.'),
    webhookId: required(string, 'Webhook that the message goes to.'),
    messageId: required(string, 'Id of the message; `webhook-id` of every attempt.'),
    type: required(type, 'Type of the event.'),
    status: required(status, 'Status of the delivery; a `pending` delivery is tried again.'),
    attempts: required(listOf(attempt), 'Attempts, the oldest first.'),
    nextAttemptAt: required(nullable(instant), 'Time of the next attempt; null without one.'),
    createdAt: required(instant, 'Time of creation.'),
  },
  'Delivery',
  'A message to a webhook, with its attempts.',
)
