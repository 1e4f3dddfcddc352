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

/** Whether it is still to be sent. */
export const isPending = (delivery: Delivery): boolean => canMove(delivery, 'deliver')

/** Whether its endpoint is there for it: an endpoint that is disabled gets only what somebody asks for. */
export const isWanted = (delivery: Delivery, webhook: Webhook | undefined): webhook is Webhook =>
  webhook !== undefined && (webhook.enabled || delivery.isAskedFor)

/** The next state of a delivery: total and without judgement. */
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

/** Applies the result of one attempt to a delivery. A finished delivery stays as it ended: two nodes may have sent it at once. */
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

/** Nobody is there to send it to; it says so as an attempt that was none. */
export const giveUp = (delivery: Delivery, error: string, at: Instant): DeliveryEvent[] =>
  isPending(delivery) ? [{ type: 'delivery_given_up', attempt: { at, statusCode: null, error, durationMs: 0 } }] : []
