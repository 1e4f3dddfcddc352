import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * One request as the routes read it, and what its answer may lean on. Two make one: Hono, which runs anywhere and may be mounted in another
 * application, and Node's own server, where the way over a web `Request` and `Response` would cost more than most calls do.
 */
export interface Exchange {
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** Parameters of the path's pattern, decoded. */
  readonly params: Record<string, string>
  /** Part after the path: `?` and the query as sent, or empty. */
  readonly search: string
  /** The query, decoded; the first of a name counts. */
  query(): Record<string, string>
  /** Returns a header by its lower-case name; repeated headers are joined by `, `. */
  header(name: string): string | undefined
  /** `http://host:port`, as the request named it. */
  origin(): string
  /** The body as it arrives. Stopping early leaves the connection able to carry the answer. */
  readonly body: AsyncIterable<Uint8Array>
  /** The whole body, of `content-length` bytes: only for a request that says how many. */
  whole(): Promise<Uint8Array>
  /** Whether Node's own parser read it: then a body is as long as was announced. */
  readonly incoming: IncomingMessage | undefined
  readonly outgoing: ServerResponse | undefined
  /** Aborted when the caller goes away, where `outgoing` cannot tell. */
  readonly gone: AbortSignal | undefined
}
