import type { IncomingMessage, ServerResponse } from 'node:http'
import { getQueryParam } from 'hono/utils/url'
import type { Exchange } from './exchange'

/** Exchange of a request that Node's own HTTP parser read. The request's address needs no decoding (`isPlain`). */
export class NodeExchange implements Exchange {
  readonly gone = undefined

  constructor(
    readonly incoming: IncomingMessage,
    readonly outgoing: ServerResponse,
    readonly path: string,
    readonly params: Record<string, string>,
  ) {}

  get method(): string {
    return this.incoming.method ?? ''
  }

  get search(): string {
    return (this.incoming.url ?? '').slice(this.path.length)
  }

  get body(): AsyncIterable<Uint8Array> {
    return this.incoming.iterator({ destroyOnReturn: false })
  }

  // The query is read with Hono's parser, so that a `NodeExchange` and a `WebExchange` give the same result.
  query(): Record<string, string> {
    return getQueryParam(this.incoming.url ?? '') as Record<string, string>
  }

  header(name: string): string | undefined {
    return this.incoming.headers[name] as string | undefined
  }

  origin(): string {
    const isSecure = 'encrypted' in this.incoming.socket
    return `${isSecure ? 'https' : 'http'}://${this.incoming.headers.host}`
  }

  whole(): Promise<Uint8Array> {
    const { incoming } = this
    return new Promise((resolve, reject) => {
      const parts: Buffer[] = []
      incoming.on('data', (part: Buffer) => parts.push(part))
      incoming.once('end', () => {
        const [first] = parts
        resolve(first !== undefined && parts.length === 1 ? first : Buffer.concat(parts))
      })
      incoming.once('error', reject)
      incoming.once('close', () => {
        if (!incoming.complete) reject(new Error('the connection closed before the body was whole'))
      })
    })
  }
}

/** URLs with literal characters only. Hono handles all other URLs (`%` in the path, `..`, an absolute address). */
const PLAIN_URL = /^\/[\w\-~:@+./]*(?:\?[\w\-~:@+./%&=,[\]]*)?$/
const PLAIN_HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/

/**
 * Whether a `NodeExchange` reads a request exactly as Hono would. The request must have no unusual address, no repeated
 * header, and no body without an announced size of at most `maxBytes` bytes.
 */
export function isPlain({ url = '', headers, rawHeaders }: IncomingMessage, maxBytes: number): boolean {
  if (!PLAIN_URL.test(url) || url.includes('/.')) return false
  if (!PLAIN_HOST.test(headers.host ?? '')) return false
  // Node keeps only the first of some repeated headers, but Hono joins all of them.
  if (rawHeaders.length !== 2 * Object.keys(headers).length) return false
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return false
  const announced = headers['content-length']
  return announced === undefined || Number(announced) <= maxBytes
}
