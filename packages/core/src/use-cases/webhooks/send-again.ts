import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { putDelivery, putMessage } from '../../commit/rows/delivery'
import { transact } from '../../commit/transact'
import { ServiceError } from '../../errors/service-error'
import type { Service } from '../../node/service'
import { type Delivery, newDelivery } from '../../webhook/delivery'
import { testMessage } from '../../webhook/message'
import { type OnWebhook, requireWebhook } from './require-webhook'

/** Delivery of a webhook. */
export type OnDelivery = OnWebhook & {
  /** Id of the delivery: `dlv_` and a ULID. */
  readonly deliveryId: string
}

export function redeliver(ctx: Service, on: OnDelivery, call?: CallOptions): Promise<Delivery> {
  return transact(ctx, call, async () => {
    const webhook = await requireWebhook(ctx, on)
    const before = await ctx.storage.get('delivery', on.deliveryId)
    if (before === undefined || before.webhookId !== webhook.id) throw noSuchDelivery(on.deliveryId)
    const message = await ctx.storage.get('message', before.messageId)
    if (message === undefined) throw noSuchDelivery(on.deliveryId)
    // The commit checks that both rows still exist and are unchanged.
    const draft = new Draft(ctx.clock.now()).check('webhook', webhook).check('message', message)
    const delivery = newDelivery(
      { id: ctx.ids.next('dlv'), webhookId: webhook.id, isAskedFor: true },
      message,
      draft.at,
    )
    return { draft, answer: putDelivery(draft, delivery) }
  })
}

export function testWebhook(ctx: Service, on: OnWebhook, call?: CallOptions): Promise<Delivery> {
  return transact(ctx, call, async () => {
    const webhook = await requireWebhook(ctx, on)
    const { id: webhookId, projectId } = webhook
    const draft = new Draft(ctx.clock.now()).check('webhook', webhook)
    const message = testMessage({ id: ctx.ids.next('msg'), projectId, createdAt: draft.at }, webhookId)
    const delivery = newDelivery({ id: ctx.ids.next('dlv'), webhookId, isAskedFor: true }, message, draft.at)
    putMessage(draft, message, [delivery])
    return { draft, answer: delivery }
  })
}

const noSuchDelivery = (deliveryId: string) =>
  new ServiceError('NOT_FOUND', `there is no delivery ${JSON.stringify(deliveryId)}`)
