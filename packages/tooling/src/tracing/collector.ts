import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import protobuf from 'protobufjs'

/**
 * The parts of OTLP's published schema (opentelemetry-proto, trace/v1) that the collector reads. It decodes them
 * without the library that the service uses to send them.
 */
const SCHEMA = `
  syntax = "proto3";
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message Link { bytes trace_id = 1; bytes span_id = 2; }
  message Status { string message = 2; int32 code = 3; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
    fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9;
    repeated Link links = 13; Status status = 15;
  }
  message ScopeSpans { repeated Span spans = 2; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Export { repeated ResourceSpans resource_spans = 1; }
`
const EXPORT = protobuf.parse(SCHEMA, { keepCase: true }).root.lookupType('Export')

interface KeyValue {
  readonly key: string
  readonly value?: Readonly<Record<string, unknown>>
}

interface RawSpan {
  readonly trace_id: Uint8Array
  readonly span_id: Uint8Array
  readonly parent_span_id: Uint8Array
  readonly name: string
  readonly kind: number
  readonly start_time_unix_nano: string
  readonly end_time_unix_nano: string
  readonly attributes?: readonly KeyValue[]
  readonly links?: readonly { readonly trace_id: Uint8Array; readonly span_id: Uint8Array }[]
  readonly status?: { readonly message: string; readonly code: number }
}

interface RawExport {
  readonly resource_spans?: readonly {
    readonly resource?: { readonly attributes?: readonly KeyValue[] }
    readonly scope_spans?: readonly { readonly spans?: readonly RawSpan[] }[]
  }[]
}

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  /** Id of the parent span; empty for the first span of a trace. */
  readonly parentId: string
  readonly name: string
  /** The attribute `service.instance.id` of the node that sent the span. */
  readonly node: string
  /** Start of the span, in epoch milliseconds with fractions. */
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly error: string | undefined
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const NS_OF_MS = 1e6
/** The status code with which OTLP marks a failed span. */
const ERROR = 2

/** A collector of spans for tests: receives OTLP over HTTP in protobuf, on a free port of this machine. */
export class Collector {
  readonly spans: CollectedSpan[] = []
  private readonly server = createServer((request, answer) => {
    this.receive(request, answer).catch(() => answer.destroy())
  })

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()))
    this.server.closeAllConnections()
    return closed
  }

  /** Returns the spans of a trace, the earliest first. */
  of(traceId: string): readonly CollectedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId).sort((a, b) => a.startedAt - b.startedAt)
  }

  /**
   * Calls `look` repeatedly until it returns a value, for at most `withinMs` milliseconds. Spans arrive in batches
   * after a short delay.
   */
  async until<T>(look: () => T | undefined, withinMs = 60_000): Promise<T> {
    const deadline = Date.now() + withinMs
    for (;;) {
      const found = look()
      if (found !== undefined) return found
      if (Date.now() > deadline) throw new Error(`not told of: ${this.spans.map(({ name }) => name).join(', ')}`)
      await wait(50)
    }
  }

  private async receive(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    if (request.url !== '/v1/traces' || request.headers['content-type'] !== 'application/x-protobuf') {
      answer.writeHead(415).end()
      return
    }
    const sent = Buffer.concat(chunks)
    this.keep(request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent)
    answer.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  }

  private keep(bytes: Uint8Array): void {
    const { resource_spans: sent = [] } = EXPORT.toObject(EXPORT.decode(bytes), { longs: String }) as RawExport
    for (const { resource, scope_spans: scopes = [] } of sent) {
      const node = String(valuesOf(resource?.attributes)['service.instance.id'])
      for (const { spans = [] } of scopes) this.spans.push(...spans.map((span) => collected(span, node)))
    }
  }
}

const valuesOf = (attributes: readonly KeyValue[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value = {} }) => [key, Object.values(value)[0]]))

const collected = (span: RawSpan, node: string): CollectedSpan => ({
  traceId: hex(span.trace_id),
  spanId: hex(span.span_id),
  parentId: hex(span.parent_span_id ?? new Uint8Array()),
  name: span.name,
  node,
  startedAt: Number(span.start_time_unix_nano) / NS_OF_MS,
  endedAt: Number(span.end_time_unix_nano) / NS_OF_MS,
  attributes: valuesOf(span.attributes),
  links: (span.links ?? []).map((link) => ({ traceId: hex(link.trace_id), spanId: hex(link.span_id) })),
  error: span.status?.code === ERROR ? span.status.message : undefined,
})
