import type { Ports } from '../ports/ports'
import type { ProjectProblem } from '../project/problem'
import type { Project } from '../project/project'
import { HOUR_MS } from '../shared/time'
import { shownUrl } from '../webhook/shown-url'
import type { Webhook } from '../webhook/webhook'
import { sentenceOf } from './sentence'

/** Returns a problem for each webhook that the service disabled, and for each webhook to which every delivery fails. */
export async function troubledWebhooks(ctx: Ports, { listeners = [] }: Project): Promise<ProjectProblem[]> {
  if (listeners.length === 0) return []
  const ids = listeners.map(({ webhookId }) => webhookId)
  return (await ctx.storage.getMany('webhook', ids)).flatMap((webhook) => troubleOf(webhook, ctx.clock.now()))
}

function troubleOf(webhook: Webhook, now: number): ProjectProblem[] {
  const { id, disabledReason, failingSince, enabled, updatedAt } = webhook
  const url = shownUrl(webhook.url)
  const subject = { kind: 'webhook', id } as const
  if (disabledReason !== null) {
    const why =
      disabledReason === 'gone' ? 'its endpoint answered with status 410 (gone)' : 'all deliveries failed for five days'
    const sentence = sentenceOf(
      url,
      `the webhook was disabled and receives no more messages: ${why}`,
      'Correct its URL and enable it again, or delete it.',
    )
    return [
      { code: 'webhook_disabled', severity: 'error', sentence, subject, since: updatedAt, count: 1, details: { url } },
    ]
  }
  if (!enabled || failingSince === null) return []
  const sentence = sentenceOf(
    url,
    `every delivery to the webhook has failed ${forHow(now - failingSince)}`,
    'Check the deliveries of this webhook; failed messages are retried for three days.',
  )
  return [
    {
      code: 'webhook_failing',
      severity: 'warning',
      sentence,
      subject,
      since: failingSince,
      count: 1,
      details: { url },
    },
  ]
}

const forHow = (ms: number): string =>
  ms < HOUR_MS ? `for ${Math.max(1, Math.round(ms / 60_000))} min` : `for ${Math.round(ms / HOUR_MS)} h`
