import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { writeWebhook } from '../../commit/rows/webhook'
import { transact } from '../../commit/transact'
import type { Service } from '../../node/service'
import { decideRotateSecret as decideRotation } from '../../webhook/decide'
import { shownSecret } from '../../webhook/signature'
import { type OnWebhook, requireWebhook, webhookAndProject } from './require-webhook'
import { drawSeed, type WebhookWithSecret, withoutSecret } from './secret'

export function rotateSecret(ctx: Service, on: OnWebhook, call?: CallOptions): Promise<WebhookWithSecret> {
  const rotate = async () => {
    const { webhook: before, project } = await webhookAndProject(ctx, on)
    const draft = new Draft(ctx.clock.now())
    const webhook = writeWebhook(draft, project, before, decideRotation(before, drawSeed(ctx), draft.at))
    const answer = { webhook, secret: shownSecret(ctx.tokens, webhook) }
    return { draft, answer, recorded: withoutSecret(answer), about: { id: webhook.id } }
  }
  const again = async () => ({ webhook: await requireWebhook(ctx, on), secret: null })
  return transact<WebhookWithSecret>(ctx, call, rotate, again)
}
