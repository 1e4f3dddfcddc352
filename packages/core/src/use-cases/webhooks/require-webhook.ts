import { isOwner, type OwnedBy } from '../../access/owner'
import { ServiceError, validationFailed } from '../../errors/service-error'
import { AddressRefused } from '../../ports/guarded-fetch'
import type { Ports } from '../../ports/ports'
import type { Project } from '../../project/project'
import { requireProject } from '../../reads/require'
import { shapeFaults } from '../../webhook/shapes'
import type { Webhook } from '../../webhook/webhook'

/** Webhook to which a call applies, with its required owner: the project of an API key, or the account of a session. */
export type OnWebhook = OwnedBy & {
  /** Id of the webhook: `whk_` and a ULID. */
  readonly webhookId: string
}

/** Returns the webhook to which a call applies. Throws WEBHOOK_NOT_FOUND, also for a webhook of another project or account. */
export async function requireWebhook(ctx: Ports, on: OnWebhook): Promise<Webhook> {
  const webhook = await ctx.storage.get('webhook', on.webhookId)
  if (webhook === undefined || !isOwner(on, webhook)) {
    throw new ServiceError('WEBHOOK_NOT_FOUND', `there is no webhook ${JSON.stringify(on.webhookId)}`)
  }
  return webhook
}

/** Returns the webhook to which a call applies, with its project's row, because a change of the webhook may change that row. */
export async function webhookAndProject(
  ctx: Ports,
  on: OnWebhook,
): Promise<{ readonly webhook: Webhook; readonly project: Project }> {
  const webhook = await requireWebhook(ctx, on)
  return { webhook, project: await requireProject(ctx, webhook.projectId) }
}

/** Throws WEBHOOK_ADDRESS_REFUSED for a URL that the service may not call. */
export async function requireAddress(ctx: Ports, url: string): Promise<void> {
  try {
    await ctx.guardedFetch.check(url, ctx.settings.addressPolicy)
  } catch (error) {
    if (error instanceof AddressRefused) throw refusal(error)
    throw error
  }
}

const refusal = ({ reason }: AddressRefused) => new ServiceError('WEBHOOK_ADDRESS_REFUSED', reason)

/** Refuses a webhook whose shape does not fit its address or its types. Throws VALIDATION_FAILED. */
export function refuseShape(webhook: Pick<Webhook, 'url' | 'types' | 'format'>): void {
  const issues = shapeFaults(webhook)
  if (issues.length > 0) throw validationFailed(issues)
}
