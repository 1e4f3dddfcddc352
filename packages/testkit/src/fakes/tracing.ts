import {
  readTraceParent,
  type SpanAttributes,
  type SpanStart,
  type Tracing,
  writeTraceParent,
} from '@matchyard/core/ports'

/** A span that has ended, as an exporter would receive it. */
export interface ToldSpan {
  /** Name of the span. */
  readonly name: string
  /** Kind of the span, for example `server`. */
  readonly kind: NonNullable<SpanStart['kind']>
  /** Place of the span in its trace (W3C `traceparent`). */
  readonly traceparent: string
  /** The parent's traceparent; undefined for the first span of a trace. */
  readonly parent: string | undefined
  /** Linked spans, as `traceparent`. */
  readonly links: readonly string[]
  /** Attributes of the span. */
  readonly attributes: SpanAttributes
  /** Times of start and end that the caller passed; undefined for the time of the call. */
  readonly startedAt: number | undefined
  /** Time of the end that the caller passed; undefined for the time of the call. */
  readonly endedAt: number | undefined
  /** Error of the span; undefined without one. */
  readonly error: string | undefined
}

/**
 * Keeps ended spans in the order in which they ended. It counts its trace ids and span ids up, so that it needs no
 * other port.
 */
export class FakeTracing implements Tracing {
  /** Ended spans, in the order in which they ended. */
  readonly spans: ToldSpan[] = []
  readonly within: Tracing['within'] = (_, work) => work()
  private begun = 0

  /** Starts a span. */
  start(name: string, { kind = 'internal', parent, links = [], attributes, startedAt }: SpanStart = {}) {
    const number = (++this.begun).toString(16)
    const place = readTraceParent(parent)
    const traceparent = writeTraceParent({
      traceId: place?.traceId ?? `abc${number.padStart(29, '0')}`,
      spanId: number.padStart(16, '0'),
      isSampled: place?.isSampled ?? true,
    })
    const known = { name, kind, traceparent, parent: place && parent, links, startedAt }
    return {
      traceparent,
      end: ({ attributes: more, endedAt, error }: Parameters<ReturnType<Tracing['start']>['end']>[0] = {}) => {
        this.spans.push({ ...known, attributes: { ...attributes, ...more }, endedAt, error })
      },
    }
  }

  /** Returns the spans with this name. */
  named(name: string): readonly ToldSpan[] {
    return this.spans.filter((span) => span.name === name)
  }
}
