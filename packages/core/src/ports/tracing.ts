import type { Instant } from '../shared/time'
import { readTraceParent } from '../shared/trace'

export { readTraceParent, type TracePlace, writeTraceParent } from '../shared/trace'

/**
 * Position in a trace, in the format of the header `traceparent` (W3C Trace Context). It is stored with a row, so that the node that
 * continues the work also continues the trace.
 */
export type TraceParent = string

export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface SpanStart {
  /** Kind of the span, as in OpenTelemetry. Default: `internal`. */
  readonly kind?: 'internal' | 'server' | 'client' | 'consumer'
  /**
   * Parent of the span. When the parent is absent or not a valid traceparent, the span starts a new trace. Callers of the API may send any
   * text here.
   */
  readonly parent?: TraceParent | undefined
  /** Related spans in other traces. */
  readonly links?: readonly TraceParent[]
  /** Attributes of the span. They contain no secret and no text that players wrote. */
  readonly attributes?: SpanAttributes
  /** Start of the span, for a span that is reported only at its end. Default: now. */
  readonly startedAt?: Instant
}

export interface SpanEnd {
  readonly attributes?: SpanAttributes
  /** Error of the traced work, as a word or a short sentence; absent when the work succeeded. */
  readonly error?: string | undefined
  /** End of the span. Default: now. */
  readonly endedAt?: Instant
}

export interface Span {
  /** Traceparent of this span, for its child spans; undefined without tracing. */
  readonly traceparent: TraceParent | undefined
  /**
   * Ends and reports the span. A span that is never ended is not reported; for instance, the service never ends the span of a refused
   * commit.
   */
  end(outcome?: SpanEnd): void
}

/**
 * Records how the time of a call is spent, on all nodes that take part in it. The service stores traceparents and passes them on. It bases
 * no decision on them.
 */
export interface Tracing {
  start(name: string, start?: SpanStart): Span
  /** Runs `work` in the context of this traceparent, so that log lines and spans of the work belong to its trace. */
  within<T>(traceparent: TraceParent | undefined, work: () => T): T
}

const NO_SPAN: Span = { traceparent: undefined, end: () => {} }

/** Tracing that records nothing. */
export const noTracing: Tracing = { start: () => NO_SPAN, within: (_, work) => work() }

/** Returns the given tracing, changed so that its errors never fail the caller. Without a tracing, returns `noTracing`. */
export function unfailingTracing(tracing: Tracing | undefined): Tracing {
  if (tracing === undefined) return noTracing
  return {
    start(name, start) {
      try {
        const span = tracing.start(name, start)
        return { traceparent: span.traceparent, end: (outcome) => unfailingly(() => span.end(outcome)) }
      } catch {
        return NO_SPAN
      }
    },
    within(traceparent, work) {
      let began = false
      const begin = () => {
        began = true
        return work()
      }
      try {
        return tracing.within(traceparent, begin)
      } catch (error) {
        // Errors of the work itself are passed to the caller.
        if (began) throw error
        return work()
      }
    },
  }
}

function unfailingly(call: () => void): void {
  try {
    call()
  } catch {
    // After an error of the tracing, the span is lost, and the traced work continues.
  }
}

/**
 * Returns the parent and links of a span that has several causes. The parent is the first sampled cause; when no cause is sampled, the
 * first cause. The span is linked with all causes, as in OpenTelemetry's conventions for batches of messages.
 */
export function partOf(causes: readonly (TraceParent | undefined)[]): Pick<SpanStart, 'parent' | 'links'> {
  const known = [...new Set(causes.filter((cause) => cause !== undefined))]
  const parent = known.find((cause) => readTraceParent(cause)?.isSampled) ?? known[0]
  return known.length > 1 ? { parent, links: known } : { parent }
}
