import {
  readTraceParent,
  type SpanAttributes,
  type SpanStart,
  type Tracing,
  writeTraceParent,
} from '@matchyard/core/ports'

/** A span that was ended, as it would be told. */
export interface ToldSpan {
  readonly name: string
  readonly kind: NonNullable<SpanStart['kind']>
  readonly traceparent: string
  /** Of its parent; undefined where it began a trace. */
  readonly parent: string | undefined
  readonly links: readonly string[]
  readonly attributes: SpanAttributes
  /** Undefined: when it was begun, or ended. */
  readonly startedAt: number | undefined
  readonly endedAt: number | undefined
  readonly error: string | undefined
}

/** Keeps the spans that were told, in the order in which they ended; its ids are counted and draw on no other port. */
export class FakeTracing implements Tracing {
  readonly spans: ToldSpan[] = []
  readonly within: Tracing['within'] = (_, work) => work()
  private begun = 0

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

  /** Those of this name. */
  named(name: string): readonly ToldSpan[] {
    return this.spans.filter((span) => span.name === name)
  }
}
