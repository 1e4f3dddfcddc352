import { DEFAULT_PAGE_LIMIT } from '../../catalog/limits'
import { unavailableInsteadOf } from '../../commit/transact'
import type { Ports } from '../../ports/ports'
import type { InProject } from '../../project/in-project'
import { requireProject } from '../../reads/require'
import { windowOf } from '../../reads/window'
import type { Page } from '../../shared/page'
import type { Delivery, DeliveryStatus } from '../../webhook/delivery'
import type { Webhook } from '../../webhook/webhook'
import { type OnWebhook, requireWebhook } from './require-webhook'

interface Window {
  /** Maximum number of items on a page, 1 to 100. Default: 50. */
  readonly limit?: number | undefined
  /** Number of items before the page. Default: 0. */
  readonly offset?: number | undefined
}

/** Page of the webhooks of a project. */
export type ListWebhooksInput = InProject & Window
/** Page of the deliveries of a webhook. */
export type ListDeliveriesInput = OnWebhook &
  Window & {
    /** Status of the deliveries. Default: all statuses. */
    readonly status?: DeliveryStatus | undefined
  }

export const getWebhook = (ctx: Ports, on: OnWebhook): Promise<Webhook> =>
  unavailableInsteadOf(() => requireWebhook(ctx, on))

export function listWebhooks(ctx: Ports, input: ListWebhooksInput): Promise<Page<Webhook>> {
  const { projectId, limit = DEFAULT_PAGE_LIMIT, offset = 0 } = input
  return unavailableInsteadOf(async () => {
    const { listeners = [] } = await requireProject(ctx, projectId)
    const ids = listeners.map(({ webhookId }) => webhookId)
    return {
      total: ids.length,
      data: await ctx.storage.getMany('webhook', ids.slice(offset, offset + limit)),
    }
  })
}

export function listDeliveries(ctx: Ports, input: ListDeliveriesInput): Promise<Page<Delivery>> {
  const { status } = input
  return unavailableInsteadOf(async () => {
    const { id: webhookId } = await requireWebhook(ctx, input)
    return ctx.storage.deliveries.list({ webhookId, ...windowOf(input), ...(status && { status }) })
  })
}
