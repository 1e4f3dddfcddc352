import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { removeWebhook } from '../../commit/rows/webhook'
import { transact } from '../../commit/transact'
import type { Service } from '../../node/service'
import { type OnWebhook, webhookAndProject } from './require-webhook'

export async function deleteWebhook(ctx: Service, on: OnWebhook, call?: CallOptions): Promise<void> {
  await transact(ctx, call, async () => {
    const { webhook, project } = await webhookAndProject(ctx, on)
    const draft = new Draft(ctx.clock.now())
    removeWebhook(draft, project, webhook)
    return { draft, answer: null }
  })
}
