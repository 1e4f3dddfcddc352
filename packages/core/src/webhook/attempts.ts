import type { Instant } from '../shared/time'
import { lifeOf } from '../shared/transitions'
import type { EndpointAnswer } from './answer'
import type { Delivery, DeliveryAttempt, DeliveryStatus } from './delivery'
import { nextAttemptAt } from './schedule'
import { DELIVERY_TRANSITIONS, type DeliveryTrigger } from './transitions'
import type { Webhook } from './webhook'

const { canMove, moved } = lifeOf<DeliveryStatus, DeliveryTrigger>('delivery', DELIVERY_TRANSITIONS)

/** Events of a delivery. */
export type DeliveryEvent =
  | { readonly type: 'attempt_taken'; readonly attempt: DeliveryAttempt }
  | { readonly type: 'attempt_failed'; readonly attempt: DeliveryAttempt; readonly nextAttemptAt: Instant }
  | { readonly type: 'delivery_given_up'; readonly attempt: DeliveryAttempt }

/** Whether the delivery must still be sent. */
export const isPending = (delivery: Delivery): boolean => canMove(delivery, 'deliver')

/** Whether the delivery may be sent to the webhook. A disabled webhook gets only deliveries that a caller requested, such as a test. */
export const isWanted = (delivery: Delivery, webhook: Webhook | undefined): webhook is Webhook =>
  webhook !== undefined && (webhook.enabled || delivery.isAskedFor)

/** Returns the state of a delivery after an event. Accepts every event and checks nothing. */
export function evolveDelivery(delivery: Delivery, event: DeliveryEvent): Delivery {
  const next = { ...delivery, version: delivery.version + 1, attempts: [...delivery.attempts, event.attempt] }
  switch (event.type) {
    case 'attempt_taken':
      return { ...moved(next, 'deliver'), nextAttemptAt: null }
    case 'attempt_failed':
      return { ...next, nextAttemptAt: event.nextAttemptAt }
    case 'delivery_given_up':
      return { ...moved(next, 'give_up'), nextAttemptAt: null }
  }
}

/**
 * Applies the result of one attempt to a delivery. A finished delivery is not changed, because two nodes may have sent it at the same time.
 */
export function noteAttempt(
  delivery: Delivery,
  { attempt, answer, at }: { attempt: DeliveryAttempt; answer: EndpointAnswer; at: Instant },
  draw: (below: number) => number,
): DeliveryEvent[] {
  if (!isPending(delivery)) return []
  if (answer === 'taken') return [{ type: 'attempt_taken', attempt }]
  const { createdAt } = delivery
  const next =
    answer === 'gone' ? undefined : nextAttemptAt({ attempts: delivery.attempts.length + 1, createdAt }, at, draw)
  return [
    next === undefined
      ? { type: 'delivery_given_up', attempt }
      : { type: 'attempt_failed', attempt, nextAttemptAt: next },
  ]
}

/**
 * Gives up a delivery that cannot be sent, because its webhook was deleted or disabled. The reason is stored as an attempt that was not
 * made.
 */
export const giveUp = (delivery: Delivery, error: string, at: Instant): DeliveryEvent[] =>
  isPending(delivery) ? [{ type: 'delivery_given_up', attempt: { at, statusCode: null, error, durationMs: 0 } }] : []
