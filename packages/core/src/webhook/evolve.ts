import type { WebhookEvent } from './events'
import type { Webhook } from './webhook'

/** Returns the state of a webhook after an event. Accepts every event and checks nothing. */
export function evolveWebhook(webhook: Webhook, event: WebhookEvent): Webhook {
  switch (event.type) {
    case 'webhook_changed': {
      const { url, enabled } = event.changes
      const changed = { ...webhook, ...event.changes, updatedAt: event.at }
      // Enabling a webhook resets its failures. A new address has no failures yet.
      if (enabled !== undefined) return { ...changed, disabledReason: null, failingSince: null }
      return url === undefined || url === webhook.url ? changed : { ...changed, failingSince: null }
    }
    case 'secret_rotated':
      return { ...webhook, secrets: event.secrets, updatedAt: event.at }
    case 'failures_began':
      return { ...webhook, failingSince: event.at }
    case 'failures_ended':
      return { ...webhook, failingSince: null }
    case 'webhook_disabled':
      return { ...webhook, enabled: false, disabledReason: event.reason, updatedAt: event.at }
  }
}

/** Returns the webhook after all events of one commit, which together give it one new version. */
export function evolveWebhookAll(webhook: Webhook, events: readonly WebhookEvent[]): Webhook {
  if (events.length === 0) return webhook
  return { ...events.reduce(evolveWebhook, webhook), version: webhook.version + 1 }
}
