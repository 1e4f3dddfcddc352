import { createWebhook } from '../use-cases/webhooks/create-webhook'
import { deleteWebhook } from '../use-cases/webhooks/delete-webhook'
import { getWebhook, listDeliveries, listWebhooks } from '../use-cases/webhooks/read-webhooks'
import { rotateSecret } from '../use-cases/webhooks/rotate-secret'
import { redeliver, testWebhook } from '../use-cases/webhooks/send-again'
import { updateWebhook } from '../use-cases/webhooks/update-webhook'
import { PROJECT } from './callers'
import { type CallsOf, operation } from './operation'

/** Addresses that are told what happens in a project, at least once each, signed as Standard Webhooks says. */
export const webhooks = {
  /**
   * Makes an endpoint that is told of everything from now on; its secret cannot be read again. Rejects with `WEBHOOK_NOT_FOUND`,
   * `VALIDATION_FAILED`, `PROJECT_NOT_FOUND`, `WEBHOOK_ADDRESS_REFUSED`, `WEBHOOK_LIMIT`.
   */
  create: operation({
    callers: PROJECT,
    fields: ['url', 'types?', 'description?', 'projectId'],
    refusals: ['PROJECT_NOT_FOUND', 'WEBHOOK_ADDRESS_REFUSED', 'WEBHOOK_LIMIT', 'WEBHOOK_NOT_FOUND'],
    run: createWebhook,
  }),

  /** A webhook. Rejects with `WEBHOOK_NOT_FOUND`. */
  get: operation({
    callers: PROJECT,
    fields: ['projectId', 'accountId', 'webhookId'],
    refusals: ['WEBHOOK_NOT_FOUND'],
    run: getWebhook,
  }),

  /** The project's webhooks, oldest first. Rejects with `PROJECT_NOT_FOUND`. */
  list: operation({
    callers: PROJECT,
    fields: ['projectId', 'limit?', 'offset?'],
    refusals: ['PROJECT_NOT_FOUND'],
    run: listWebhooks,
  }),

  /** Changes a webhook from the next commit on. Rejects with `VALIDATION_FAILED`, `WEBHOOK_NOT_FOUND`, `WEBHOOK_ADDRESS_REFUSED`. */
  update: operation({
    callers: PROJECT,
    fields: ['projectId', 'accountId', 'webhookId', 'changes'],
    refusals: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_ADDRESS_REFUSED'],
    run: updateWebhook,
  }),

  /** Removes a webhook. Its pending messages are not sent. Rejects with `WEBHOOK_NOT_FOUND`. */
  delete: operation({
    callers: PROJECT,
    fields: ['projectId', 'accountId', 'webhookId'],
    refusals: ['WEBHOOK_NOT_FOUND'],
    run: deleteWebhook,
  }),

  /** Creates a new secret, returned only here. The old secret also signs for 24 hours. Rejects with `WEBHOOK_NOT_FOUND`. */
  rotateSecret: operation({
    callers: PROJECT,
    fields: ['projectId', 'accountId', 'webhookId'],
    refusals: ['WEBHOOK_NOT_FOUND'],
    run: rotateSecret,
  }),

  /** Returns the deliveries to a webhook in the last seven days, newest first. Rejects with `WEBHOOK_NOT_FOUND`. */
  deliveries: operation({
    callers: PROJECT,
    fields: ['projectId', 'accountId', 'webhookId', 'limit?', 'offset?', 'status?'],
    refusals: ['WEBHOOK_NOT_FOUND'],
    run: listDeliveries,
  }),

  /**
   * Sends the message of a delivery once more, under the same message id, as a delivery of its own; also to a webhook that is disabled.
   * Rejects with `WEBHOOK_NOT_FOUND`, `NOT_FOUND`.
   */
  redeliver: operation({
    callers: PROJECT,
    fields: ['projectId', 'accountId', 'webhookId', 'deliveryId'],
    refusals: ['WEBHOOK_NOT_FOUND', 'NOT_FOUND'],
    run: redeliver,
  }),

  /** Sends a message of the type `webhook.test`, also to a webhook that is disabled. Rejects with `WEBHOOK_NOT_FOUND`. */
  test: operation({
    callers: PROJECT,
    fields: ['projectId', 'accountId', 'webhookId'],
    refusals: ['WEBHOOK_NOT_FOUND'],
    run: testWebhook,
  }),
}

/** Addresses that are told what happens in a project, at least once each, signed as Standard Webhooks says. */
export type Webhooks = CallsOf<typeof webhooks>
