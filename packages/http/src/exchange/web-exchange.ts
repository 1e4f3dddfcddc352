import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from 'hono'
import type { Exchange } from './exchange'

/** Objects that `@hono/node-server` passes to Hono; absent on other platforms and in `app.request()`. */
export interface NodeBindings {
  /** Request of Node's HTTP server. */
  readonly incoming?: IncomingMessage
  /** Answer of Node's HTTP server. */
  readonly outgoing?: ServerResponse
}

/** Environment of the application's Hono types. */
export type HttpEnv = {
  /** Objects of the HTTP server. */
  Bindings: NodeBindings
}
export type HttpContext = Context<HttpEnv>

/** Exchange of a request that came through Hono. */
export class WebExchange implements Exchange {
  readonly incoming: IncomingMessage | undefined
  readonly outgoing: ServerResponse | undefined

  constructor(private readonly c: HttpContext) {
    // Hono leaves `env` undefined when the caller passes no bindings.
    const bindings = (c.env as NodeBindings | undefined) ?? {}
    this.incoming = bindings.incoming
    this.outgoing = bindings.outgoing
  }

  get method(): string {
    return this.c.req.method
  }

  get path(): string {
    return new URL(this.c.req.url).pathname
  }

  get params(): Record<string, string> {
    return this.c.req.param()
  }

  get search(): string {
    const { url } = this.c.req
    return url.includes('?') ? new URL(url).search : ''
  }

  get gone(): AbortSignal {
    return this.c.req.raw.signal
  }

  get body(): AsyncIterable<Uint8Array> {
    if (this.incoming !== undefined) return this.incoming.iterator({ destroyOnReturn: false })
    return webChunks(this.c.req.raw.body)
  }

  query(): Record<string, string> {
    return this.c.req.query()
  }

  header(name: string): string | undefined {
    return this.c.req.header(name)
  }

  origin(): string {
    return new URL(this.c.req.url).origin
  }

  async whole(): Promise<Uint8Array> {
    return new Uint8Array(await this.c.req.arrayBuffer())
  }
}

async function* webChunks(body: ReadableStream<Uint8Array> | null): AsyncIterable<Uint8Array> {
  if (body === null) return
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
