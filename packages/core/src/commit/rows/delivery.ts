import { answerOf } from '../../webhook/answer'
import { type DeliveryEvent, evolveDelivery } from '../../webhook/attempts'
import type { Delivery } from '../../webhook/delivery'
import type { Message } from '../../webhook/message'
import type { Draft } from '../draft'
import { followUps } from '../follow-ups'

/** Adds a message, and its delivery to each subscribed webhook. */
export function putMessage(draft: Draft, message: Message, deliveries: readonly Delivery[]): void {
  draft.create('message', message)
  for (const delivery of deliveries) putDelivery(draft, delivery)
}

/** Adds one more delivery of an existing message. */
export function putDelivery(draft: Draft, delivery: Delivery): Delivery {
  draft.create('delivery', delivery)
  draft.job(...followUps.deliveryCreated(delivery))
  return delivery
}

/** Applies events to a delivery: adds the row, and the domain event of each attempt, to the draft. Returns the next state. */
export function writeDelivery(draft: Draft, before: Delivery, events: readonly DeliveryEvent[]): Delivery {
  const after = events.reduce(evolveDelivery, before)
  if (after === before) return before
  draft.replace('delivery', before, after)
  const { id: deliveryId, webhookId, projectId } = after
  for (const { type, attempt } of events) {
    const { statusCode, durationMs } = attempt
    const isTaken = answerOf(statusCode) === 'taken'
    draft.tell({ type: 'delivery_attempted', deliveryId, webhookId, statusCode, durationMs, isTaken, projectId })
    if (type === 'delivery_given_up') draft.tell({ type, deliveryId, webhookId, projectId })
  }
  return after
}
