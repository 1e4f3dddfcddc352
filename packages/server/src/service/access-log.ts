import type { Logger } from '@matchyard/core/ports'
import type { AnsweredRequest, CallSource, EndedStream } from '@matchyard/http'
import { traceFields } from '../tracing/trace-fields'

/**
 * Operations that machines call every few seconds, and files of the console. If the status is below 500, they are
 * logged only at the level `debug`.
 */
const QUIET = new Set(['system.live', 'system.ready', 'system.metrics', 'system.top', 'console'])

export interface AccessLog {
  answered(request: AnsweredRequest): void
  streamEnded(stream: EndedStream): void
}

/**
 * Logs one line per request: the operation, and the origin of the call. A line never contains a path, a header or a
 * player's id, because they may contain private data. A stream has one line at its start and one at its end.
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

const fieldsOf = ({ address, projectId, keyId, accountId, instanceId, machineId }: CallSource) => ({
  address,
  ...(projectId === undefined ? {} : { project_id: projectId }),
  ...(keyId === undefined ? {} : { key_id: keyId }),
  ...(accountId === undefined ? {} : { account_id: accountId }),
  ...(instanceId === undefined ? {} : { instance_id: instanceId }),
  ...(machineId === undefined ? {} : { machine_id: machineId }),
})
