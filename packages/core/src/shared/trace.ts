/** A place in a trace, as the header `traceparent` says it. */
export interface TracePlace {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** Whether those who have traced it so far collect it. */
  readonly isSampled: boolean
}

/** Longer ones are nobody's: those of later versions may say more than ours do, but not that much. */
const MAX_LENGTH = 256
const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[\x21-\x7e]*)?$/
const NOTHING = /^0+$/

/** Reads what a caller sent (W3C Trace Context §3.2); undefined where it is no traceparent, whatever else it is. */
export function readTraceParent(text: string | undefined): TracePlace | undefined {
  if (text === undefined || text.length > MAX_LENGTH) return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = FORM.exec(text) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (NOTHING.test(traceId) || NOTHING.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const writeTraceParent = ({ traceId, spanId, isSampled }: TracePlace): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`

/** Returns the place in a trace as a row stores it: well formed, or absent. Without tracing, rows have no such field. */
export function traceOf(thing: { readonly trace?: string | undefined } | undefined): { readonly trace?: string } {
  const place = readTraceParent(thing?.trace)
  return place === undefined ? {} : { trace: writeTraceParent(place) }
}
