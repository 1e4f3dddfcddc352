import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * One request in the form that the routes read, with the means to answer it. There are two implementations. One reads a
 * request of Hono, which runs on every platform and may be mounted in another application. The other reads a request of
 * Node's own server directly: converting it to a web `Request` and `Response` would cost more than most calls do.
 */
export interface Exchange {
  readonly method: string
  /** Path without the query. */
  readonly path: string
  /** Decoded values of the path's parameters. */
  readonly params: Record<string, string>
  /** Part of the URL after the path: `?` and the query as sent, or an empty string. */
  readonly search: string
  /** Returns the decoded query. If a name occurs several times, its first value counts. */
  query(): Record<string, string>
  /** Returns a header by its lower-case name; repeated headers are joined by `, `. */
  header(name: string): string | undefined
  /** Returns the origin that the request names: `http://host:port`, or the same with `https`. */
  origin(): string
  /**
   * The body, chunk by chunk as it arrives. A handler may stop reading early: the answer can still be sent on the
   * connection.
   */
  readonly body: AsyncIterable<Uint8Array>
  /** Resolves to the whole body. Only for requests with a `content-length`. */
  whole(): Promise<Uint8Array>
  /**
   * Request object of Node's own HTTP parser; undefined on other platforms. The body of such a request has exactly the
   * announced length.
   */
  readonly incoming: IncomingMessage | undefined
  readonly outgoing: ServerResponse | undefined
  /** Signal that aborts when the caller has disconnected. Set for requests without `outgoing`. */
  readonly gone: AbortSignal | undefined
}
