import type { Instant } from '../shared/time'
import { readTraceParent } from '../shared/trace'

export { readTraceParent, type TracePlace, writeTraceParent } from '../shared/trace'

/**
 * A place in a trace as the header `traceparent` of W3C Trace Context spells it: stored with a row and passed on, so that the node that
 * continues the work continues the same trace.
 */
export type TraceParent = string

export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface SpanStart {
  /** Default `internal`. */
  readonly kind?: 'internal' | 'server' | 'client' | 'consumer'
  /** Parent of the span. Absent, or not a valid traceparent (callers may send anything): the span begins a trace. */
  readonly parent?: TraceParent | undefined
  /** Related spans in other traces. */
  readonly links?: readonly TraceParent[]
  /** Never a secret, and nothing that players wrote. */
  readonly attributes?: SpanAttributes
  /** Start of a span that is reported at its end; default: now. */
  readonly startedAt?: Instant
}

export interface SpanEnd {
  readonly attributes?: SpanAttributes
  /** A word or a short sentence, where it came to nothing. */
  readonly error?: string | undefined
  /** Default: now. */
  readonly endedAt?: Instant
}

export interface Span {
  /** By which others become parts of it; undefined where nobody traces. */
  readonly traceparent: TraceParent | undefined
  /** Tells of it. A span that is never ended is never told of: so are those of commits that lost. */
  end(outcome?: SpanEnd): void
}

/** Records where the time of a call goes, over all nodes that take part. It decides nothing: its results are only stored and passed on. */
export interface Tracing {
  start(name: string, start?: SpanStart): Span
  /** Runs the work so that whatever it does, log lines among them, is known to be of this place. */
  within<T>(traceparent: TraceParent | undefined, work: () => T): T
}

const NO_SPAN: Span = { traceparent: undefined, end: () => {} }

/** Traces nothing. */
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
        // An error of the work belongs to the caller.
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
    // A span that cannot be told of is lost, and nothing that was done fails for it.
  }
}

/**
 * Returns the parent and links of a span with several causes: a child of the first collected cause, linked with all of them (OpenTelemetry's
 * conventions for batches of messages).
 */
export function partOf(causes: readonly (TraceParent | undefined)[]): Pick<SpanStart, 'parent' | 'links'> {
  const known = [...new Set(causes.filter((cause) => cause !== undefined))]
  const parent = known.find((cause) => readTraceParent(cause)?.isSampled) ?? known[0]
  return known.length > 1 ? { parent, links: known } : { parent }
}
