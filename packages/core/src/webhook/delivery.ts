import type { SentMessageType } from '../catalog/message-types'
import type { Instant } from '../shared/time'

/** `pending`: it is sent, or will be. `failed`: given up. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** One try to send it. */
export interface DeliveryAttempt {
  readonly at: Instant
  /** Status code of the answer; null without an answer. */
  readonly statusCode: number | null
  /** Why it failed, a sentence; null where it did not. */
  readonly error: string | null
  readonly durationMs: number
}

/** One message on its way to one endpoint. */
export interface Delivery {
  readonly id: string
  readonly version: number
  readonly projectId: string
  readonly webhookId: string
  readonly messageId: string
  readonly type: SentMessageType
  readonly status: DeliveryStatus
  /** Asked for by somebody (a test, a redelivery): also sent to an endpoint that is disabled. */
  readonly isAskedFor: boolean
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[]
  /** null once it is over. */
  readonly nextAttemptAt: Instant | null
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
