import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from 'hono'

/** What `@hono/node-server` passes along; absent on other platforms and in `app.request()`. */
export interface NodeBindings {
  readonly incoming?: IncomingMessage
  readonly outgoing?: ServerResponse
}

export type HttpEnv = { Bindings: NodeBindings }
export type HttpContext = Context<HttpEnv>

// Hono leaves `env` undefined when nobody passes one.
const bindingsOf = (c: HttpContext): NodeBindings => (c.env as NodeBindings | undefined) ?? {}

export const incomingOf = (c: HttpContext): IncomingMessage | undefined => bindingsOf(c).incoming
export const outgoingOf = (c: HttpContext): ServerResponse | undefined => bindingsOf(c).outgoing
