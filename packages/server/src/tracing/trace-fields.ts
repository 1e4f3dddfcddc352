import type { JsonObject } from '@matchyard/core'
import { type Logger, readTraceParent } from '@matchyard/core/ports'

/** By which a line of the log is found from its trace, in the names that OpenTelemetry gives them outside its own protocol. */
export function traceFields(traceparent: string | undefined): JsonObject {
  const place = readTraceParent(traceparent)
  return place === undefined ? {} : { trace_id: place.traceId, span_id: place.spanId }
}

/** The log, whose lines say of which trace they are. */
export function traced(logger: Logger, current: () => string | undefined): Logger {
  const at = (level: keyof Logger) => (message: string, fields?: JsonObject) => {
    const place = current()
    logger[level](message, place === undefined ? fields : { ...traceFields(place), ...fields })
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
