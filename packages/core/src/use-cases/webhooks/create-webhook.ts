import type { MessageType } from '../../catalog/message-types'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { putWebhook } from '../../commit/rows/webhook'
import { transact } from '../../commit/transact'
import { orThrow, validationFailed } from '../../errors/service-error'
import type { Service } from '../../node/service'
import type { InProject } from '../../project/in-project'
import { requireProject } from '../../reads/require'
import { mayAddWebhook } from '../../webhook/decide'
import { newWebhook, webhookFaults } from '../../webhook/new-webhook'
import { shownSecret } from '../../webhook/signature'
import type { WebhookFormat } from '../../webhook/webhook'
import { refuseShape, requireAddress, requireWebhook } from './require-webhook'
import { drawSeed, type WebhookWithSecret, withoutSecret } from './secret'

export interface CreateWebhookInput extends InProject {
  /** Absolute URL. It must use `https`, unless `addresses.httpsOnly` is false. */
  readonly url: string
  /** Types of the messages that the webhook gets. Default: every type that exists at the time of the call. */
  readonly types?: readonly MessageType[] | undefined
  /** Description of at most 256 characters. */
  readonly description?: string | null | undefined
  /** Shape of the bodies. Default: `plain`. */
  readonly format?: WebhookFormat | undefined
}

export function createWebhook(ctx: Service, input: CreateWebhookInput, call?: CallOptions): Promise<WebhookWithSecret> {
  const { projectId, url, types, description, format } = input
  const create = async () => {
    const issues = webhookFaults({ url: url ?? '', types, description, format })
    if (issues.length > 0) throw validationFailed(issues)
    const project = await requireProject(ctx, projectId)
    await requireAddress(ctx, url)
    orThrow(mayAddWebhook(project))
    const draft = new Draft(ctx.clock.now())
    const given = { id: ctx.ids.next('whk'), projectId, accountId: project.accountId, url, types, description, format }
    const wanted = newWebhook({ ...given, seed: drawSeed(ctx), at: draft.at })
    refuseShape(wanted)
    const webhook = putWebhook(draft, project, wanted)
    const answer = { webhook, secret: shownSecret(ctx.tokens, webhook) }
    return { draft, answer, recorded: withoutSecret(answer), about: { id: webhook.id } }
  }
  const again = async ({ id }: { readonly id: string }) => ({
    webhook: await requireWebhook(ctx, { projectId, webhookId: id }),
    secret: null,
  })
  return transact<WebhookWithSecret>(ctx, call, create, again)
}
