import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { writeWebhook } from '../../commit/rows/webhook'
import { transact } from '../../commit/transact'
import { refuseUnknown, validationFailed } from '../../errors/service-error'
import type { Service } from '../../node/service'
import { changeWebhook } from '../../webhook/decide'
import type { WebhookChanges } from '../../webhook/events'
import { webhookFaults } from '../../webhook/new-webhook'
import type { Webhook, WebhookFormat } from '../../webhook/webhook'
import { type OnWebhook, refuseShape, requireAddress, requireWebhook, webhookAndProject } from './require-webhook'

/** Changes of a webhook. */
export type UpdateWebhookInput = OnWebhook & {
  /** Changed fields; an absent field keeps its value. `enabled: true` also clears the reason for which the service disabled the webhook. */
  readonly changes: {
    /** Address, at most 2,048 characters; https unless the operator allows others. */
    readonly url?: string | undefined
    /** Types of messages that the webhook gets, at least one. */
    readonly types?: Webhook['types'] | undefined
    /** Whether the webhook gets messages; `true` enables a disabled webhook again. */
    readonly enabled?: boolean | undefined
    /** Description, at most 256 characters; null removes it. */
    readonly description?: string | null | undefined
    /** Shape of the bodies. */
    readonly format?: WebhookFormat | undefined
  }
}

const CHANGES: { readonly [Name in keyof Required<UpdateWebhookInput['changes']>]: true } = {
  url: true,
  types: true,
  enabled: true,
  description: true,
  format: true,
}

export function updateWebhook(ctx: Service, input: UpdateWebhookInput, call?: CallOptions): Promise<Webhook> {
  const update = async () => {
    refuseUnknown(input.changes, Object.keys(CHANGES))
    const given = Object.entries(input.changes).filter(([, value]) => value !== undefined)
    const changes: WebhookChanges = Object.fromEntries(given)
    const issues = webhookFaults(changes)
    if (issues.length > 0) throw validationFailed(issues)
    const { webhook, project } = await webhookAndProject(ctx, input)
    if (changes.url !== undefined && changes.url !== webhook.url) await requireAddress(ctx, changes.url)
    refuseShape({ ...webhook, ...changes })
    const draft = new Draft(ctx.clock.now())
    const answer = writeWebhook(draft, project, webhook, changeWebhook(webhook, changes, draft.at))
    return { draft, answer, about: { id: webhook.id } }
  }
  return transact(ctx, call, update, () => requireWebhook(ctx, input))
}
