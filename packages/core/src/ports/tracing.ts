import type { Instant } from '../shared/time'
import { readTraceParent } from '../shared/trace'

export { readTraceParent, type TracePlace, writeTraceParent } from '../shared/trace'

/**
 * Place in a trace in the format of the header `traceparent` (W3C Trace Context). It is stored with a row and passed on, so that the node
 * that continues the work continues the same trace.
 */
export type TraceParent = string

export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface SpanStart {
  /** Kind of the span. Default: `internal`. */
  readonly kind?: 'internal' | 'server' | 'client' | 'consumer'
  /** Parent of the span. When it is absent or not a valid traceparent, the span starts a new trace; callers may send any text here. */
  readonly parent?: TraceParent | undefined
  /** Related spans in other traces. */
  readonly links?: readonly TraceParent[]
  /** Attributes of the span. They contain no secret and no text that players wrote. */
  readonly attributes?: SpanAttributes
  /** Start of a span that is reported at its end; default: now. */
  readonly startedAt?: Instant
}

export interface SpanEnd {
  readonly attributes?: SpanAttributes
  /** Error of the work, as a word or a short sentence; absent when the work succeeded. */
  readonly error?: string | undefined
  /** End of the span. Default: now. */
  readonly endedAt?: Instant
}

export interface Span {
  /** Place of this span, for its children; undefined without tracing. */
  readonly traceparent: TraceParent | undefined
  /** Ends and reports the span. A span that is never ended is not reported, such as the span of a commit that was refused. */
  end(outcome?: SpanEnd): void
}

/**
 * Records how the time of a call is spent, across all nodes that take part. The service stores and passes on its results and makes no
 * decision by them.
 */
export interface Tracing {
  start(name: string, start?: SpanStart): Span
  /** Runs `work` in the context of this place, so that its log lines and spans belong to the place. */
  within<T>(traceparent: TraceParent | undefined, work: () => T): T
}

const NO_SPAN: Span = { traceparent: undefined, end: () => {} }

/** Tracing that records nothing. */
export const noTracing: Tracing = { start: () => NO_SPAN, within: (_, work) => work() }

/** Returns the given tracing, with its errors contained; without one, nothing is traced. */
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
    // A tracing error loses the span, and must not fail the traced work.
  }
}

/**
 * Returns the parent and links of a span with several causes. The parent is the first sampled cause; without one, the first cause. The span
 * is linked with all causes, as in OpenTelemetry's conventions for batches of messages.
 */
export function partOf(causes: readonly (TraceParent | undefined)[]): Pick<SpanStart, 'parent' | 'links'> {
  const known = [...new Set(causes.filter((cause) => cause !== undefined))]
  const parent = known.find((cause) => readTraceParent(cause)?.isSampled) ?? known[0]
  return known.length > 1 ? { parent, links: known } : { parent }
}
