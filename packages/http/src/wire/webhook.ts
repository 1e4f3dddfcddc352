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
  NAMES_OF,
  nullable,
  optional,
  plain,
  queryOf,
  required,
} from './codec/index'
import type { WebhookWithSecret } from './core-types'
import { paging } from './query'
import { flag, nameText, number, oneOf, string, text, whole } from './shared'

const url = text(WEBHOOK_URL_LENGTH)
const types = plain(z.array(z.enum(MESSAGE_TYPES)).min(1, 'must name one type at least').max(MESSAGE_TYPES.length))
const description = plain(nameText(WEBHOOK_DESCRIPTION_LENGTH).body.nullable())

export const newWebhook = bodyOf({
  url: required(url, 'The address, https unless the operator allows others.'),
  types: optional(types, 'What it is told; everything unless said.'),
  description: optional(description, 'What it is for; null unless said.'),
})

export const webhookChanges = bodyOf({
  url: optional(url, 'The address.'),
  types: optional(types, 'What it is told.'),
  enabled: optional(flag, 'Whether it is told anything; one that was shut off begins anew by `true`.'),
  description: optional(description, 'What it is for.'),
})

const disabledReason = oneOf(DISABLED_REASONS)

export const webhook = answerOf<Webhook>(NAMES_OF.webhook)(
  {
    id: required(string, 'Its id.'),
    url: required(string, 'The address.'),
    types: required(listOf(oneOf(MESSAGE_TYPES)), 'What it is told.'),
    description: required(nullable(string), 'What it is for.'),
    enabled: required(flag, 'Whether it is told anything.'),
    disabledReason: required(
      nullable(disabledReason),
      'Why the service shut it off: `gone`, it answered 410; `failing`, nothing but failures for five days. Null where it did not.',
    ),
    createdAt: required(instant, 'When it was made.'),
    updatedAt: required(instant, 'When it changed last.'),
  },
  'Webhook',
  'An address that is told what happens.',
)

/** With its secret, unless the answer is a replayed one. */
export const webhookWithSecret = extensionOf(webhook, ({ webhook }: WebhookWithSecret) => webhook)(
  { secret: given(string, 'The secret, this once; not in a replayed answer.') },
  'WebhookWithSecret',
  'A webhook, with the secret that signs what it is sent.',
)

const status = oneOf(DELIVERY_STATUSES)

export const deliveriesQuery = queryOf({ status: optional(status, 'Only those in this status.'), ...paging })

const attempt = answerOf<DeliveryAttempt>()({
  at: required(instant, 'When.'),
  statusCode: required(nullable(whole), 'What was answered; null where nothing was.'),
  error: required(nullable(string), 'What was wrong; null where nothing was.'),
  durationMs: required(number, 'How long it took, in milliseconds.'),
})

const type = plain(z.string()) as unknown as {
  readonly answer: z.ZodString
  readonly encode: (value: SentMessageType) => unknown
}

export const delivery = answerOf<Delivery>(NAMES_OF.delivery)(
  {
    id: required(string, 'Its id.'),
    webhookId: required(string, 'To whom.'),
    messageId: required(string, 'The `webhook-id` of every attempt.'),
    type: required(type, 'What happened.'),
    status: required(status, 'Whether it has come; it is tried again while it is `pending`.'),
    attempts: required(listOf(attempt), 'Each try, the first one first.'),
    nextAttemptAt: required(nullable(instant), 'When it is tried again; null where it is not.'),
    createdAt: required(instant, 'When it was made.'),
  },
  'Delivery',
  'A message to a webhook, and what became of it.',
)
