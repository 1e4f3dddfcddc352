import type { Span, SpanAttributes, Tracing } from '@matchyard/core/ports'
import type { Exchange } from '../exchange/exchange'

/**
 * Whether an operation belongs to the installation itself, such as health probes, metrics and files of pages. Machines
 * and pages call such operations every few seconds. Their spans would outnumber all other spans.
 */
const isOfThePlace = (operation: string) => operation.startsWith('system.')

/** Pattern of ids that the service has made. Other path segments are chosen by callers: player ids, invite codes. */
const OUR_ID = /^[a-z]{3}_[0-9A-Z]{26}$/

interface Traced {
  readonly operation: string
  readonly method: string
  readonly path: string
}

/** Begins and returns the span of one call. */
export type StartSpan = (exchange: Exchange, requestId: string) => Span

/**
 * Returns the function that begins the spans of an endpoint's calls; undefined for calls that are not traced. Spans
 * follow OpenTelemetry's conventions for HTTP servers. They contain the route, and never headers or texts of callers.
 */
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

/** Returns the path with the ids that the service has made; other values are redacted. */
export const shownPath = (pattern: string, params: Readonly<Record<string, string>>): string =>
  pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? ''
    return OUR_ID.test(value) ? value : 'REDACTED'
  })

/** Ends the span with the status of the answer. An error of the caller (4xx) is not an error of the server. */
export function endServerSpan(span: Span, status: number): void {
  const error = status >= 500 ? String(status) : undefined
  span.end({
    attributes: { 'http.response.status_code': status, ...(error === undefined ? {} : { 'error.type': error }) },
    error,
  })
}
