import { DISABLED_REASONS, type Matchyard } from '@matchyard/core'
import { Counter, Histogram, type Registry } from 'prom-client'

/** Bucket bounds of the duration of a delivery attempt in seconds, up to its timeout. */
const ATTEMPT_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]
const OUTCOMES = ['taken', 'answered', 'unanswered'] as const

/**
 * Creates the metrics of webhook deliveries, from the domain events of this node. Endpoints are not labels, because
 * their number is unbounded.
 */
export function webhookMetrics(registry: Registry): (matchyard: Matchyard) => void {
  const registers = [registry]
  const attempts = new Counter({
    name: 'matchyard_webhook_attempts_total',
    help: 'Attempts to deliver to webhooks: taken, answered with something else, or not answered at all.',
    labelNames: ['outcome'],
    registers,
  })
  const durations = new Histogram({
    name: 'matchyard_webhook_attempt_duration_seconds',
    help: 'How long an attempt to deliver to a webhook took.',
    buckets: ATTEMPT_BUCKETS,
    registers,
  })
  const givenUp = new Counter({
    name: 'matchyard_webhook_deliveries_given_up_total',
    help: 'Deliveries that were given up.',
    registers,
  })
  const disabled = new Counter({
    name: 'matchyard_webhooks_disabled_total',
    help: 'Webhooks that the service disabled by itself, by why.',
    labelNames: ['reason'],
    registers,
  })
  for (const outcome of OUTCOMES) attempts.inc({ outcome }, 0)
  for (const reason of DISABLED_REASONS) disabled.inc({ reason }, 0)

  return ({ events }) => {
    events.on('delivery_attempted', ({ isTaken, statusCode, durationMs }) => {
      attempts.inc({ outcome: isTaken ? 'taken' : statusCode === null ? 'unanswered' : 'answered' })
      durations.observe(durationMs / 1000)
    })
    events.on('delivery_given_up', () => givenUp.inc())
    events.on('webhook_disabled', ({ reason }) => disabled.inc({ reason }))
  }
}
