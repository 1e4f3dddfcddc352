import { MESSAGE_TYPES } from '@matchyard/core'
import { type Act, at } from './scene'

/** Returns some of the message types, chosen by the number `n`. */
const typesOf = (n: number) => MESSAGE_TYPES.filter((_, index) => ((n >> (index % 8)) & 1) === 1 || index === n % 10)

const ANSWERS: readonly (readonly (number | null)[])[] = [[500], [null], [503, null], [302], [500, 500], [410]]

/**
 * Actions that create, change and delete webhooks while the service sends messages to them. The webhooks sometimes
 * answer with errors.
 */
export const webhookActs = {
  'webhook-create': ({ world, node, projectId, command }) =>
    world.call(node, 'webhook-create', ({ webhooks }) =>
      webhooks.create({ projectId, url: `https://studio.example/${command.a}`, types: typesOf(command.b) }),
    ),
  'webhook-change': ({ world, node, projectId, command }) =>
    world.call(node, 'webhook-change', async ({ webhooks }) => {
      const webhook = at((await webhooks.list({ projectId })).data, command.a)
      if (webhook === undefined) return
      const on = { projectId, webhookId: webhook.id }
      if (command.c % 5 === 0) return webhooks.delete(on)
      if (command.c % 5 === 1) return webhooks.test(on)
      if (command.c % 5 === 2) return webhooks.rotateSecret(on)
      const changes = command.c % 5 === 3 ? { enabled: !webhook.enabled } : { types: typesOf(command.b) }
      return webhooks.update({ ...on, changes })
    }),
  'webhook-again': ({ world, node, projectId, command }) =>
    world.call(node, 'webhook-again', async ({ webhooks }) => {
      const webhook = at((await webhooks.list({ projectId })).data, command.a)
      if (webhook === undefined) return
      const on = { projectId, webhookId: webhook.id }
      const delivery = at((await webhooks.deliveries(on)).data, command.b)
      if (delivery !== undefined) await webhooks.redeliver({ ...on, deliveryId: delivery.id })
    }),
  'receiver-fails': ({ world, command }) => world.receiver.willAnswer(...(at(ANSWERS, command.a) ?? [])),
} satisfies Record<string, Act>
