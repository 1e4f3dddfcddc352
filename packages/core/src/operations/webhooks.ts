import { createWebhook } from '../use-cases/webhooks/create-webhook'
import { deleteWebhook } from '../use-cases/webhooks/delete-webhook'
import { getWebhook, listDeliveries, listWebhooks } from '../use-cases/webhooks/read-webhooks'
import { rotateSecret } from '../use-cases/webhooks/rotate-secret'
import { redeliver, testWebhook } from '../use-cases/webhooks/send-again'
import { updateWebhook } from '../use-cases/webhooks/update-webhook'
import { PROJECT } from './callers'
import { type CallsOf, operation } from './operation'

/**
 * Webhooks: addresses to which the service sends the events of a project. Each event is sent at least once, and signed as in Standard
 * Webhooks.
 */
export const webhooks = {
  /**
   * Creates a webhook, which receives the messages of its types from the next commit on. Only this call returns the secret. Rejects with
   * `WEBHOOK_NOT_FOUND`, `VALIDATION_FAILED`, `PROJECT_NOT_FOUND`, `WEBHOOK_ADDRESS_REFUSED`, `WEBHOOK_LIMIT`.
   */
  create: operation({
    callers: PROJECT,
    role: 'developer',
    fields: ['url', 'types?', 'description?', 'format?', 'projectId'],
    refusals: ['PROJECT_NOT_FOUND', 'WEBHOOK_ADDRESS_REFUSED', 'WEBHOOK_LIMIT', 'WEBHOOK_NOT_FOUND'],
    audit: 'always',
    run: createWebhook,
  }),

  /** Returns a webhook. Rejects with `WEBHOOK_NOT_FOUND`. */
  get: operation({
    callers: PROJECT,
    role: 'viewer',
    fields: ['projectId', 'accountId', 'grants?', 'webhookId'],
    refusals: ['WEBHOOK_NOT_FOUND'],
    run: getWebhook,
  }),

  /** Returns a page of the project's webhooks, oldest first. Rejects with `PROJECT_NOT_FOUND`. */
  list: operation({
    callers: PROJECT,
    role: 'viewer',
    fields: ['projectId', 'limit?', 'offset?'],
    refusals: ['PROJECT_NOT_FOUND'],
    run: listWebhooks,
  }),

  /**
   * Changes a webhook. The change takes effect from the next commit on. Rejects with `VALIDATION_FAILED`, `WEBHOOK_NOT_FOUND`,
   * `WEBHOOK_ADDRESS_REFUSED`.
   */
  update: operation({
    callers: PROJECT,
    role: 'developer',
    fields: ['projectId', 'accountId', 'grants?', 'webhookId', 'changes'],
    refusals: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_ADDRESS_REFUSED'],
    audit: 'always',
    run: updateWebhook,
  }),

  /** Deletes a webhook. Its pending messages are not sent. Rejects with `WEBHOOK_NOT_FOUND`. */
  delete: operation({
    callers: PROJECT,
    role: 'developer',
    fields: ['projectId', 'accountId', 'grants?', 'webhookId'],
    refusals: ['WEBHOOK_NOT_FOUND'],
    audit: 'always',
    run: deleteWebhook,
  }),

  /**
   * Creates a new secret, which only this call returns. Messages are also signed with the old secret for 24 hours. Rejects with
   * `WEBHOOK_NOT_FOUND`.
   */
  rotateSecret: operation({
    callers: PROJECT,
    role: 'developer',
    fields: ['projectId', 'accountId', 'grants?', 'webhookId'],
    refusals: ['WEBHOOK_NOT_FOUND'],
    audit: 'always',
    run: rotateSecret,
  }),

  /** Returns a page of the deliveries to a webhook in the last seven days, newest first. Rejects with `WEBHOOK_NOT_FOUND`. */
  deliveries: operation({
    callers: PROJECT,
    role: 'viewer',
    fields: ['projectId', 'accountId', 'grants?', 'webhookId', 'limit?', 'offset?', 'status?'],
    refusals: ['WEBHOOK_NOT_FOUND'],
    run: listDeliveries,
  }),

  /**
   * Sends the message of a delivery again, with the same message id, as a new delivery. The webhook may be disabled. Rejects with
   * `WEBHOOK_NOT_FOUND`, `NOT_FOUND`.
   */
  redeliver: operation({
    callers: PROJECT,
    role: 'developer',
    fields: ['projectId', 'accountId', 'grants?', 'webhookId', 'deliveryId'],
    refusals: ['WEBHOOK_NOT_FOUND', 'NOT_FOUND'],
    audit: 'always',
    run: redeliver,
  }),

  /** Sends a message of the type `webhook.test`. The webhook may be disabled. Rejects with `WEBHOOK_NOT_FOUND`. */
  test: operation({
    callers: PROJECT,
    role: 'developer',
    fields: ['projectId', 'accountId', 'grants?', 'webhookId'],
    refusals: ['WEBHOOK_NOT_FOUND'],
    audit: 'always',
    run: testWebhook,
  }),
}

/**
 * Webhooks: addresses to which the service sends the events of a project. Each event is sent at least once, and signed as in Standard
 * Webhooks.
 *
 * @interface
 */
export type Webhooks = CallsOf<typeof webhooks>
