import type { Span, SpanAttributes, Tracing } from '@matchyard/core/ports'
import type { Exchange } from '../exchange/exchange'

/** Asked every few seconds by machines, and files of pages: their spans would be most of all, and say nothing. */
const isOfThePlace = (operation: string) => operation.startsWith('system.')

/** Id that the service has drawn; other path segments belong to callers: players, invite codes. */
const OUR_ID = /^[a-z]{3}_[0-9A-Z]{26}$/

interface Traced {
  readonly operation: string
  readonly method: string
  readonly path: string
}

/** Begins the span of one call, and answers it; undefined where calls are not traced. */
export type StartSpan = (exchange: Exchange, requestId: string) => Span

/** How calls of an endpoint are traced, by OpenTelemetry's conventions for HTTP servers: by its route, never by a header or what callers wrote. */
export function serverSpans(tracing: Tracing | undefined, endpoint: Traced): StartSpan | undefined {
  const { operation, path } = endpoint
  if (tracing === undefined || isOfThePlace(operation)) return undefined
  const method = endpoint.method.toUpperCase()
  const common: SpanAttributes = {
    'http.request.method': method,
    'http.route': path,
    'matchyard.operation': operation,
  }
  return (exchange, requestId) =>
    tracing.start(`${method} ${path}`, {
      kind: 'server',
      parent: exchange.header('traceparent'),
      attributes: {
        ...common,
        'url.path': shownPath(path, exchange.params),
        'matchyard.request_id': requestId,
      },
    })
}

/** The path with the ids of ours alone. */
export const shownPath = (pattern: string, params: Readonly<Record<string, string>>): string =>
  pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? ''
    return OUR_ID.test(value) ? value : 'REDACTED'
  })

/** Ends the span with the answer's status: an error of the caller is no error of the server. */
export function endServerSpan(span: Span, status: number): void {
  const error = status >= 500 ? String(status) : undefined
  span.end({
    attributes: { 'http.response.status_code': status, ...(error === undefined ? {} : { 'error.type': error }) },
    error,
  })
}
