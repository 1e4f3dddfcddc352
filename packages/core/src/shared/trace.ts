/** Position in a trace: the values of the header `traceparent`. */
export interface TracePlace {
  /** Trace id: 32 hexadecimal digits. */
  readonly traceId: string
  /** Span id: 16 hexadecimal digits. */
  readonly spanId: string
  /** Whether the caller's trace is recorded. */
  readonly isSampled: boolean
}

/** Maximum characters of a traceparent. The present version has 55 characters; future versions may be a little longer. */
const MAX_LENGTH = 256
const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[\x21-\x7e]*)?$/
const NOTHING = /^0+$/

/**
 * Reads the header `traceparent` that a caller sent (W3C Trace Context §3.2). Returns undefined for a text that is not a valid traceparent.
 */
export function readTraceParent(text: string | undefined): TracePlace | undefined {
  if (text === undefined || text.length > MAX_LENGTH) return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = FORM.exec(text) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (NOTHING.test(traceId) || NOTHING.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const writeTraceParent = ({ traceId, spanId, isSampled }: TracePlace): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`

/** Returns the field `trace` of a row if it is a valid traceparent, else no field. Without tracing, rows have no such field. */
export function traceOf(thing: { readonly trace?: string | undefined } | undefined): { readonly trace?: string } {
  const place = readTraceParent(thing?.trace)
  return place === undefined ? {} : { trace: writeTraceParent(place) }
}
