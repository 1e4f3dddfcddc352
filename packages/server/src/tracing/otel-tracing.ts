import { readTraceParent, type SpanStart, type Tracing, writeTraceParent } from '@matchyard/core/ports'
import type * as Api from '@opentelemetry/api'

/** Tracing port over OpenTelemetry's API. `current` returns the span context of the running call. */
export interface OtelTracing extends Tracing {
  current(): string | undefined
}

/** Returns the tracing port. `api` is a parameter, because the library is loaded only when tracing is configured. */
export function otelTracing(api: typeof Api, tracer: Api.Tracer): OtelTracing {
  const { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } = api
  const kinds: Record<NonNullable<SpanStart['kind']>, Api.SpanKind> = {
    internal: SpanKind.INTERNAL,
    server: SpanKind.SERVER,
    client: SpanKind.CLIENT,
    consumer: SpanKind.CONSUMER,
  }
  const placeOf = (traceparent: string | undefined): Api.SpanContext | undefined => {
    const place = readTraceParent(traceparent)
    if (place === undefined) return undefined
    const { traceId, spanId, isSampled } = place
    return { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true }
  }
  const spell = ({ traceId, spanId, traceFlags }: Api.SpanContext) =>
    writeTraceParent({ traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 })
  // A span gets a parent only if the caller passes one; the active span is never used as the parent.
  const under = (place: Api.SpanContext | undefined) =>
    place === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, place)
  return {
    start(name, { kind = 'internal', parent, links = [], attributes = {}, startedAt } = {}) {
      const span = tracer.startSpan(
        name,
        {
          kind: kinds[kind],
          attributes,
          links: links.flatMap((link) => {
            const place = placeOf(link)
            return place === undefined ? [] : [{ context: place }]
          }),
          ...(startedAt === undefined ? {} : { startTime: startedAt }),
        },
        under(placeOf(parent)),
      )
      return {
        traceparent: spell(span.spanContext()),
        end({ attributes: more, error, endedAt } = {}) {
          if (more !== undefined) span.setAttributes(more)
          if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
          span.end(endedAt)
        },
      }
    },
    within(traceparent, work) {
      const place = placeOf(traceparent)
      return place === undefined ? work() : context.with(trace.setSpanContext(context.active(), place), work)
    },
    current() {
      const place = trace.getSpanContext(context.active())
      return place === undefined ? undefined : spell(place)
    },
  }
}
