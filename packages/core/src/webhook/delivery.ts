import type { SentMessageType } from '../catalog/message-types'
import type { Instant } from '../shared/time'

/** Status of a delivery. `pending`: the node is sending it, or will send it. `failed`: it was given up. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const
/** Status of a delivery, one of `DELIVERY_STATUSES`. */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** One attempt to send a delivery. */
export interface DeliveryAttempt {
  /** Time of the attempt. */
  readonly at: Instant
  /** Status code of the answer; null without an answer. */
  readonly statusCode: number | null
  /** Reason of the failure as a sentence; null after a success. */
  readonly error: string | null
  /** Duration of the attempt in milliseconds. */
  readonly durationMs: number
}

/** One message on its way to one webhook, with all attempts to send it. */
export interface Delivery {
  /** Id of the delivery: `dlv_` and a ULID. */
  readonly id: string
  /** Version, which grows by one with each change. */
  readonly version: number
  /** Project of the webhook. */
  readonly projectId: string
  /** Webhook that the message goes to. */
  readonly webhookId: string
  /** Id of the message; the header `webhook-id` of every attempt. */
  readonly messageId: string
  /** Type of the event. */
  readonly type: SentMessageType
  /** Status of the delivery; a `pending` delivery is tried again. */
  readonly status: DeliveryStatus
  /** Whether a caller requested the delivery (a test, a redelivery). Such a delivery is also sent to a disabled webhook. */
  readonly isAskedFor: boolean
  /** Attempts, oldest first. */
  readonly attempts: readonly DeliveryAttempt[]
  /** Instant of the next attempt; null for a finished delivery. */
  readonly nextAttemptAt: Instant | null
  /** Time of creation. */
  readonly createdAt: Instant
}

export const newDelivery = (
  given: Pick<Delivery, 'id' | 'webhookId' | 'isAskedFor'>,
  message: { readonly id: string; readonly projectId: string; readonly type: SentMessageType },
  at: Instant,
): Delivery => ({
  ...given,
  version: 1,
  projectId: message.projectId,
  messageId: message.id,
  type: message.type,
  status: 'pending',
  attempts: [],
  nextAttemptAt: at,
  createdAt: at,
})
