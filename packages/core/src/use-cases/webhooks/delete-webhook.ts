import { Draft } from '../../commit/draft'
import { removeWebhook } from '../../commit/rows/webhook'
import { transact } from '../../commit/transact'
import type { Context } from '../../context/context'
import { type OnWebhook, webhookAndProject } from './require-webhook'

/** Removes a webhook; what was still to be sent to it is not. Throws WEBHOOK_NOT_FOUND. */
export async function deleteWebhook(ctx: Context, on: OnWebhook): Promise<void> {
  await transact(ctx, undefined, async () => {
    const { webhook, project } = await webhookAndProject(ctx, on)
    const draft = new Draft(ctx.clock.now())
    removeWebhook(draft, project, webhook)
    return { draft, answer: null }
  })
}
