import { isDisabled } from '../account/decide'
import { Draft } from '../commit/draft'
import { writeDelivery } from '../commit/rows/delivery'
import { writeWebhook } from '../commit/rows/webhook'
import { transact } from '../commit/transact'
import type { Service } from '../node/service'
import { AddressRefused, FetchFailed } from '../ports/guarded-fetch'
import type { Ports } from '../ports/ports'
import type { Instant } from '../shared/time'
import { SECOND_MS } from '../shared/time'
import { answerOf } from '../webhook/answer'
import { giveUp, isPending, isWanted, noteAttempt } from '../webhook/attempts'
import { noteAnswer } from '../webhook/decide'
import type { DeliveryAttempt } from '../webhook/delivery'
import type { Message } from '../webhook/message'
import { shapedBody } from '../webhook/shapes'
import { signatureOf } from '../webhook/signature'
import type { Webhook } from '../webhook/webhook'

/** Maximum milliseconds of one attempt to send a message. */
export const ATTEMPT_TIMEOUT_MS = 15 * SECOND_MS
/**
 * Maximum bytes of a response that are read. The content is not used, but closing the connection early would look like a failure to the
 * endpoint.
 */
export const MAX_ANSWER_BYTES = 16 * 1_024

/**
 * Sends a delivery that is due, and records the result. Returns the time of the next attempt. After a crash between sending and recording,
 * the message is sent again with the same message id. Each message thus arrives at least once.
 */
export async function sendDelivery(ctx: Service, deliveryId: string): Promise<Instant | undefined> {
  const delivery = await ctx.storage.get('delivery', deliveryId)
  if (delivery === undefined || !isPending(delivery)) return undefined
  if (delivery.nextAttemptAt !== null && delivery.nextAttemptAt > ctx.clock.now()) return delivery.nextAttemptAt
  const [webhook, message, project] = await Promise.all([
    ctx.storage.get('webhook', delivery.webhookId),
    ctx.storage.get('message', delivery.messageId),
    ctx.storage.get('project', delivery.projectId),
  ])
  if (!isWanted(delivery, webhook)) return abandon(ctx, deliveryId, 'its webhook is disabled or was deleted')
  const account = project && (await ctx.storage.get('account', project.accountId))
  if (account !== undefined && isDisabled(account)) return abandon(ctx, deliveryId, 'its account is disabled')
  if (message === undefined) return abandon(ctx, deliveryId, 'its message is no longer stored')
  const made = await attempt(ctx, webhook, message, delivery.attempts.length)
  ctx.node.silentEndpoints.note(webhook.id, made)
  return noteOutcome(ctx, deliveryId, made)
}

/**
 * Makes one attempt, as a span in the trace of the match or server that the message is about. A header of the request passes the trace to
 * the endpoint.
 */
async function attempt(ctx: Ports, webhook: Webhook, message: Message, before: number): Promise<DeliveryAttempt> {
  if (message.trace === undefined) return attemptWith(ctx, webhook, message, {})
  const { host } = new URL(webhook.url)
  const span = ctx.tracing.start(`send ${message.type}`, {
    kind: 'client',
    parent: message.trace,
    attributes: {
      // The span contains the host and not the URL, because the path of the URL may be a secret.
      ...{ 'http.request.method': 'POST', 'server.address': host },
      ...(before === 0 ? {} : { 'http.request.resend_count': before }),
      'messaging.message.id': message.id,
      'matchyard.project_id': message.projectId,
      'matchyard.webhook_id': webhook.id,
    },
  })
  const { traceparent } = span
  const headers = traceparent === undefined ? {} : { traceparent }
  const made = await ctx.tracing.within(traceparent, () => attemptWith(ctx, webhook, message, headers))
  const { statusCode, error } = made
  span.end({ attributes: { 'http.response.status_code': statusCode ?? undefined }, error: error ?? undefined })
  return made
}

async function attemptWith(
  ctx: Ports,
  webhook: Webhook,
  message: Message,
  headers: Readonly<Record<string, string>>,
): Promise<DeliveryAttempt> {
  const at = ctx.clock.now()
  const timestamp = Math.floor(at / SECOND_MS)
  const body = shapedBody(webhook, message) ?? ctx.messageBody(message)
  const made = (statusCode: number | null, error: string | null) => ({
    at,
    statusCode,
    error,
    durationMs: ctx.clock.now() - at,
  })
  try {
    const { status } = await ctx.guardedFetch.fetch(
      {
        url: webhook.url,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Matchyard-Webhooks/1',
          'webhook-id': message.id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signatureOf(ctx.tokens, webhook, { messageId: message.id, timestamp, body, at }),
          ...headers,
        },
        body,
        timeoutMs: ATTEMPT_TIMEOUT_MS,
        maxResponseBytes: MAX_ANSWER_BYTES,
      },
      ctx.settings.addressPolicy,
    )
    return made(status, answerOf(status) === 'taken' ? null : `answered ${status}`)
  } catch (error) {
    // All other errors are faults of this service and not of the endpoint. They are logged, and the job is retried.
    if (!(error instanceof AddressRefused || error instanceof FetchFailed)) throw error
    return made(null, error.reason)
  }
}

/** Records the attempt and its effect on the state of the webhook, in one commit. Returns the time of the next attempt. */
function noteOutcome(ctx: Service, deliveryId: string, made: DeliveryAttempt): Promise<Instant | undefined> {
  const answer = answerOf(made.statusCode)
  return transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const delivery = await ctx.storage.get('delivery', deliveryId)
    if (delivery === undefined) return { draft, answer: undefined }
    const { at } = draft
    const events = noteAttempt(delivery, { attempt: made, answer, at }, (below) => ctx.random.int(below))
    const after = writeDelivery(draft, delivery, events)
    const webhook = await ctx.storage.get('webhook', delivery.webhookId)
    const meant = webhook === undefined || events.length === 0 ? [] : noteAnswer(webhook, answer, at)
    const project = meant.length === 0 ? undefined : await ctx.storage.get('project', delivery.projectId)
    if (webhook !== undefined && project !== undefined) writeWebhook(draft, project, webhook, meant)
    return { draft, answer: after.nextAttemptAt ?? undefined }
  })
}

function abandon(ctx: Service, deliveryId: string, why: string): Promise<undefined> {
  return transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const delivery = await ctx.storage.get('delivery', deliveryId)
    if (delivery !== undefined) writeDelivery(draft, delivery, giveUp(delivery, why, draft.at))
    return { draft, answer: undefined }
  })
}
