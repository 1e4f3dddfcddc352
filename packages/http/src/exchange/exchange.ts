import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * One request as the routes read it, with the means to answer it. There are two sources. Hono runs on every platform
 * and may be mounted in another application. For Node's own server, the way over a web `Request` and `Response` would
 * cost more than most calls do.
 */
export interface Exchange {
  readonly method: string
  /** Path without the query. */
  readonly path: string
  /** Parameters of the path's pattern, decoded. */
  readonly params: Record<string, string>
  /** Part after the path: `?` and the query as sent, or empty. */
  readonly search: string
  /** Returns the decoded query; the first of several equal names counts. */
  query(): Record<string, string>
  /** Returns a header by its lower-case name; repeated headers are joined by `, `. */
  header(name: string): string | undefined
  /** Returns `http://host:port` (or `https`) as the request named it. */
  origin(): string
  /** The body as it arrives. A handler may stop reading early: the connection can still carry the answer. */
  readonly body: AsyncIterable<Uint8Array>
  /** Resolves to the whole body; only for requests with a `content-length`. */
  whole(): Promise<Uint8Array>
  /** Request of Node's own parser, if there is one: then a body is as long as announced. */
  readonly incoming: IncomingMessage | undefined
  readonly outgoing: ServerResponse | undefined
  /** Signal that aborts when the caller is gone, for requests without `outgoing`. */
  readonly gone: AbortSignal | undefined
}
