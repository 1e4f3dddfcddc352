import { MAX_WEBHOOKS } from '../catalog/limits'
import { accept, type Decision, reject } from '../errors/decision'
import type { Project } from '../project/project'
import { DAY_MS, type Instant } from '../shared/time'
import type { EndpointAnswer } from './answer'
import type { WebhookChanges, WebhookEvent } from './events'
import type { Webhook } from './webhook'

/** Milliseconds for which messages are also signed with the previous secret. */
export const OLD_SECRET_MS = DAY_MS
/** Milliseconds after which a webhook is disabled when all attempts fail. */
export const FAILING_MS = 5 * DAY_MS

/** Rejects with WEBHOOK_LIMIT when the project has MAX_WEBHOOKS webhooks. Disabled webhooks count too. */
export function mayAddWebhook(project: Project): Decision<never> {
  const count = project.listeners?.length ?? 0
  if (count < MAX_WEBHOOKS) return accept()
  return reject('WEBHOOK_LIMIT', `a project can have at most ${MAX_WEBHOOKS} webhooks; delete a webhook first`, {
    count,
  })
}

/** Changes a webhook. Values that equal the present values change nothing. */
export function changeWebhook(webhook: Webhook, changes: WebhookChanges, at: Instant): WebhookEvent[] {
  const differs = Object.entries(changes).some(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(webhook[name as keyof WebhookChanges]),
  )
  return differs ? [{ type: 'webhook_changed', changes, at }] : []
}

/**
 * Replaces the secret of a webhook. Messages are also signed with the previous secret for one more day. Older secrets are no longer used.
 */
export const decideRotateSecret = (webhook: Webhook, seed: string, at: Instant): WebhookEvent[] => [
  {
    type: 'secret_rotated',
    secrets: [
      { seed, until: null },
      ...webhook.secrets.slice(0, 1).map((old) => ({ ...old, until: at + OLD_SECRET_MS })),
    ],
    at,
  },
]

/** Applies the outcome of one attempt to the webhook. The outcome may begin or end a series of failures, or disable the webhook. */
export function noteAnswer(webhook: Webhook, answer: EndpointAnswer, at: Instant): WebhookEvent[] {
  if (answer === 'taken') return webhook.failingSince === null ? [] : [{ type: 'failures_ended' }]
  if (!webhook.enabled) return []
  if (answer === 'gone') return [{ type: 'webhook_disabled', reason: 'gone', at }]
  if (webhook.failingSince === null) return [{ type: 'failures_began', at }]
  return at - webhook.failingSince < FAILING_MS ? [] : [{ type: 'webhook_disabled', reason: 'failing', at }]
}
