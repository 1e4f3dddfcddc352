import type { HttpContext } from './node-bindings'

const SANE = /^[A-Za-z0-9._~:+/=@-]{1,128}$/

/** The caller's own `x-request-id` when it is sane, else a new one. */
export function requestIdOf(c: HttpContext): string {
  const own = c.req.header('x-request-id')
  return own !== undefined && SANE.test(own) ? own : `req_${crypto.randomUUID().replaceAll('-', '')}`
}
