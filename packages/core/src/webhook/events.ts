import type { Instant } from '../shared/time'
import type { DisabledReason, SecretSeed, Webhook } from './webhook'

export type WebhookChanges = Partial<Pick<Webhook, 'url' | 'types' | 'enabled' | 'description' | 'format'>>

/** Events of a webhook after its creation. */
export type WebhookEvent =
  | { readonly type: 'webhook_changed'; readonly changes: WebhookChanges; readonly at: Instant }
  | { readonly type: 'secret_rotated'; readonly secrets: readonly SecretSeed[]; readonly at: Instant }
  | { readonly type: 'failures_began'; readonly at: Instant }
  | { readonly type: 'failures_ended' }
  | { readonly type: 'webhook_disabled'; readonly reason: DisabledReason; readonly at: Instant }
