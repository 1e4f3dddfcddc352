import type { CallOptions } from '../context/context'
import type { Page } from '../shared/page'
import type {
  CreateWebhookInput,
  ListDeliveriesInput,
  ListWebhooksInput,
  OnDelivery,
  OnWebhook,
  UpdateWebhookInput,
  WebhookWithSecret,
} from '../use-cases/webhooks/index'
import type { Delivery } from '../webhook/delivery'
import type { Webhook } from '../webhook/webhook'

/** Addresses that are told what happens in a project, at least once each, signed as Standard Webhooks says. */
export interface Webhooks {
  /**
   * Makes an endpoint that is told of everything from now on; its secret cannot be read again. Throws VALIDATION_FAILED,
   * PROJECT_NOT_FOUND, WEBHOOK_ADDRESS_REFUSED, WEBHOOK_LIMIT.
   */
  create(input: CreateWebhookInput, call?: CallOptions): Promise<WebhookWithSecret>

  /** A webhook. Throws WEBHOOK_NOT_FOUND. */
  get(on: OnWebhook): Promise<Webhook>

  /** The project's webhooks, oldest first. Throws PROJECT_NOT_FOUND. */
  list(input: ListWebhooksInput): Promise<Page<Webhook>>

  /** Changes a webhook from the next commit on. Throws VALIDATION_FAILED, WEBHOOK_NOT_FOUND, WEBHOOK_ADDRESS_REFUSED. */
  update(input: UpdateWebhookInput, call?: CallOptions): Promise<Webhook>

  /** Removes a webhook; what was still to be sent to it is not. Throws WEBHOOK_NOT_FOUND. */
  delete(on: OnWebhook, call?: CallOptions): Promise<void>

  /** Another secret, shown this once; the one before signs too for 24 hours. Throws WEBHOOK_NOT_FOUND. */
  rotateSecret(on: OnWebhook, call?: CallOptions): Promise<WebhookWithSecret>

  /** What was sent to a webhook in the last seven days, newest first. Throws WEBHOOK_NOT_FOUND. */
  deliveries(input: ListDeliveriesInput): Promise<Page<Delivery>>

  /**
   * Sends the message of a delivery once more, under the same message id, as a delivery of its own; also to a webhook that is
   * disabled. Throws WEBHOOK_NOT_FOUND, NOT_FOUND.
   */
  redeliver(on: OnDelivery, call?: CallOptions): Promise<Delivery>

  /** Sends a message of the type `webhook.test`, also to a webhook that is disabled. Throws WEBHOOK_NOT_FOUND. */
  test(on: OnWebhook, call?: CallOptions): Promise<Delivery>
}
