import type { Project } from '../../project/project'
import type { WebhookEvent } from '../../webhook/events'
import { evolveWebhookAll } from '../../webhook/evolve'
import { listenerOf } from '../../webhook/new-webhook'
import type { Webhook } from '../../webhook/webhook'
import type { Draft } from '../draft'

/** Adds a new webhook, and adds it to its project's row too. Commits read that row to find the webhooks that get an event. */
export function putWebhook(draft: Draft, project: Project, webhook: Webhook): Webhook {
  draft.create('webhook', webhook)
  writeListeners(draft, project, [...(project.listeners ?? []), listenerOf(webhook)])
  return webhook
}

/**
 * Applies events to a webhook: adds the row to the draft, and its project's row when the types or `enabled` change. Returns the next state.
 */
export function writeWebhook(
  draft: Draft,
  project: Project,
  before: Webhook,
  events: readonly WebhookEvent[],
): Webhook {
  const after = evolveWebhookAll(before, events)
  if (after === before) return before
  draft.replace('webhook', before, after)
  const [was, is] = [listenerOf(before), listenerOf(after)]
  if (JSON.stringify(was) !== JSON.stringify(is)) {
    const listeners = (project.listeners ?? []).map((one) => (one.webhookId === before.id ? is : one))
    writeListeners(draft, project, listeners)
  }
  for (const { type } of events) {
    if (type === 'webhook_disabled') {
      const { disabledReason } = after
      draft.tell({ type, webhookId: after.id, reason: disabledReason ?? 'failing', projectId: after.projectId })
    }
  }
  return after
}

/** Removes a webhook. When the jobs of its pending deliveries run, they find no webhook, and give the deliveries up. */
export function removeWebhook(draft: Draft, project: Project, webhook: Webhook): void {
  draft.remove('webhook', webhook)
  const listeners = (project.listeners ?? []).filter(({ webhookId }) => webhookId !== webhook.id)
  writeListeners(draft, project, listeners)
}

function writeListeners(draft: Draft, project: Project, listeners: Project['listeners']): void {
  draft.update('project', project, { ...project, listeners: listeners ?? [] })
}
