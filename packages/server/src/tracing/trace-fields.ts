import type { JsonObject } from '@matchyard/core'
import { type Logger, readTraceParent } from '@matchyard/core/ports'

/**
 * Returns the fields by which a reader finds the log lines of a trace. Their names are OpenTelemetry's names for log
 * formats other than OTLP.
 */
export function traceFields(traceparent: string | undefined): JsonObject {
  const place = readTraceParent(traceparent)
  return place === undefined ? {} : { trace_id: place.traceId, span_id: place.spanId }
}

/** Returns a log whose lines contain the ids of the current trace and span. */
export function traced(logger: Logger, current: () => string | undefined): Logger {
  const at = (level: keyof Logger) => (message: string, fields?: JsonObject) => {
    const place = current()
    logger[level](message, place === undefined ? fields : { ...traceFields(place), ...fields })
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
