import type { Instant } from '../shared/time'
import { readTraceParent } from '../shared/trace'

export { readTraceParent, type TracePlace, writeTraceParent } from '../shared/trace'

/**
 * A place in a trace as the header `traceparent` of W3C Trace Context spells it: what is stored with a row and handed on, so that whoever goes
 * on with it, on whichever node, goes on in the same trace.
 */
export type TraceParent = string

export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface SpanStart {
  /** Default `internal`. */
  readonly kind?: 'internal' | 'server' | 'client' | 'consumer'
  /** What it is a part of; left out, or no traceparent at all (whoever calls may have sent anything), it begins a trace. */
  readonly parent?: TraceParent | undefined
  /** What else it has to do with, in other traces. */
  readonly links?: readonly TraceParent[]
  /** Never a secret, and nothing that players wrote. */
  readonly attributes?: SpanAttributes
  /** Of one that is told when it is over; default: now. */
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

/**
 * Tells where the time of a call goes, over all nodes that have a part in it. Nothing is decided by it: what it answers is kept and handed on, and
 * read by nobody else.
 */
export interface Tracing {
  start(name: string, start?: SpanStart): Span
  /** Runs the work so that whatever it does, log lines among them, is known to be of this place. */
  within<T>(traceparent: TraceParent | undefined, work: () => T): T
}

const NO_SPAN: Span = { traceparent: undefined, end: () => {} }

/** Traces nothing. */
export const noTracing: Tracing = { start: () => NO_SPAN, within: (_, work) => work() }

/** What everything inside holds: the given one, whose faults stay its own; without one, nothing is traced. */
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
        // What the work throws is its caller's.
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
 * What several causes in traces of their own make of one thing: it is a part of the first that is collected, and is linked with all where they are
 * more than one (OpenTelemetry's conventions for batches of messages).
 */
export function partOf(causes: readonly (TraceParent | undefined)[]): Pick<SpanStart, 'parent' | 'links'> {
  const known = [...new Set(causes.filter((cause) => cause !== undefined))]
  const parent = known.find((cause) => readTraceParent(cause)?.isSampled) ?? known[0]
  return known.length > 1 ? { parent, links: known } : { parent }
}
