import type { AnsweredRequest } from '@matchyard/http'
import { Counter, Histogram, type Registry } from 'prom-client'

/** Bucket bounds in seconds. Most answers take a few milliseconds; a login or an upload takes longer. */
const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Creates the metrics of requests: their number and duration, by operation. Paths are not labels, because every lobby
 * would be a new series.
 */
export function httpMetrics(registry: Registry): (request: AnsweredRequest) => void {
  const labelNames = ['operation', 'method', 'status'] as const
  const requests = new Counter({
    name: 'matchyard_http_requests_total',
    help: 'Requests answered; an event stream counts when it begins.',
    labelNames,
    registers: [registry],
  })
  const latency = new Histogram({
    name: 'matchyard_http_request_duration_seconds',
    help: 'Time to the answer.',
    labelNames: ['operation'],
    buckets: LATENCY_BUCKETS,
    registers: [registry],
  })
  // Finding a series costs much more than incrementing it, so each found series is kept. Each operation has only a few
  // series.
  const counted = kept((series: string) => {
    const [operation = '', method = '', status = ''] = series.split(' ')
    return requests.labels({ operation, method, status })
  })
  const timed = kept((operation: string) => latency.labels({ operation }))
  return ({ operation = 'none', method, status, durationMs }) => {
    // Callers can invent methods, so an unknown method has the label `other`.
    counted(`${operation} ${METHODS.has(method) ? method : 'other'} ${status}`).inc()
    timed(operation).observe(durationMs / 1000)
  }
}

function kept<Series>(find: (name: string) => Series): (name: string) => Series {
  const known = new Map<string, Series>()
  return (name) => {
    const series = known.get(name) ?? find(name)
    known.set(name, series)
    return series
  }
}
