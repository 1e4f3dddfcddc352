import type { Logger } from '@matchyard/core/ports'
import type { AnsweredRequest, CallSource, EndedStream } from '@matchyard/http'
import { traceFields } from '../tracing/trace-fields'

/** Asked every few seconds by machines, or files of a page that is opened; told only where everything is told. */
const QUIET = new Set(['system.live', 'system.ready', 'system.metrics', 'system.top', 'console'])

export interface AccessLog {
  answered(request: AnsweredRequest): void
  streamEnded(stream: EndedStream): void
}

/**
 * One line per request: what was done and where the call came from, never the path or a header, which may hold what is nobody's business, and
 * no player id. A stream has a line when it begins and one when it ends.
 */
export const accessLog = (logger: Logger, level: 'info' | 'debug'): AccessLog => ({
  answered({ source, operation, method, status, durationMs, bytesIn, bytesOut, requestId, traceparent }) {
    const tell = operation !== undefined && QUIET.has(operation) && status < 500 ? 'debug' : level
    logger[tell]('request', {
      request_id: requestId,
      operation: operation ?? null,
      method,
      status,
      duration_ms: Math.round(durationMs * 10) / 10,
      bytes_in: bytesIn,
      bytes_out: bytesOut,
      ...fieldsOf(source),
      ...(traceparent === undefined ? {} : traceFields(traceparent)),
    })
  },
  streamEnded({ source, operation, requestId, durationMs, bytes }) {
    logger[level]('stream ended', {
      request_id: requestId,
      operation,
      duration_ms: Math.round(durationMs),
      bytes_out: bytes,
      ...fieldsOf(source),
    })
  },
})

const fieldsOf = ({ address, projectId, keyId, accountId, instanceId }: CallSource) => ({
  address,
  ...(projectId === undefined ? {} : { project_id: projectId }),
  ...(keyId === undefined ? {} : { key_id: keyId }),
  ...(accountId === undefined ? {} : { account_id: accountId }),
  ...(instanceId === undefined ? {} : { instance_id: instanceId }),
})
