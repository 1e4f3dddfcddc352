import type { Exchange } from '../exchange/exchange'

const SANE = /^[A-Za-z0-9._~:+/=@-]{1,128}$/

/** Returns the caller's own `x-request-id` if it has an accepted form, and otherwise a new id. */
export function requestIdOf(exchange: Pick<Exchange, 'header'>): string {
  const own = exchange.header('x-request-id')
  return own !== undefined && SANE.test(own) ? own : newRequestId()
}

/** Returns a new id: `req_` and 32 hexadecimal digits. */
export function newRequestId(): string {
  const id = crypto.randomUUID()
  return `req_${id.slice(0, 8)}${id.slice(9, 13)}${id.slice(14, 18)}${id.slice(19, 23)}${id.slice(24)}`
}
