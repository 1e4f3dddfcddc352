import type { Logger } from '@matchyard/core/ports'
import type { AnsweredRequest } from '@matchyard/http'
import { traceFields } from '../tracing/trace-fields'

/** Asked every few seconds by machines, or files of a page that is opened; told only where everything is told. */
const QUIET = new Set(['system.live', 'system.ready', 'system.metrics', 'console'])

/** One line per request: what was done, never the path or a header, which may hold what is nobody's business. */
export const accessLog =
  (logger: Logger, level: 'info' | 'debug') =>
  ({ operation, method, status, durationMs, requestId, traceparent }: AnsweredRequest): void => {
    const tell = operation !== undefined && QUIET.has(operation) && status < 500 ? 'debug' : level
    logger[tell]('request', {
      request_id: requestId,
      operation: operation ?? null,
      method,
      status,
      duration_ms: Math.round(durationMs * 10) / 10,
      ...(traceparent === undefined ? {} : traceFields(traceparent)),
    })
  }
