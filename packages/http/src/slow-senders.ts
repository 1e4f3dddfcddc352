import type { IncomingMessage, Server } from 'node:http'
import type { Timers } from '@matchyard/core/ports'
import { MAX_HEAD_BYTES } from './long-heads'
import { SYSTEM_TIMERS } from './options'

/** A request's headers arrive within this time, the whole of it within the other (docs/http-api.md §1, "Slow senders"). */
const HEADERS_MS = 10_000
const REQUEST_MS = 30_000
/**
 * A connection that nobody uses is kept for longer than proxies and balancers keep theirs (60 s as a rule): whoever closes first must be
 * the one who sends, or a request meets the end of its connection and is lost with it.
 */
const KEPT_IDLE_MS = 75_000

/**
 * For `createServer`: how long a connection that nobody uses is kept, how long a request's head may be, and Node's own check of the headers, often enough to mean it. Its limit for whole requests is left out because
 * it would cut off every large upload; `limitSlowSenders` stands in for it.
 */
export const NODE_SERVER_OPTIONS = {
  headersTimeout: HEADERS_MS,
  requestTimeout: 0,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: KEPT_IDLE_MS,
  maxHeaderSize: MAX_HEAD_BYTES,
} as const

/**
 * Closes the connection of a request that has not arrived whole in 30 seconds. An upload may take longer, as long as bytes
 * keep coming.
 */
export function limitSlowSenders(server: Server, timers: Timers = SYSTEM_TIMERS): void {
  server.on('request', (incoming: IncomingMessage) => {
    if (incoming.complete || !hasBody(incoming)) return
    let cancel = () => {}
    const watch = (before: number | undefined) => {
      cancel = timers.after(REQUEST_MS, () => {
        const { bytesRead } = incoming.socket
        if (incoming.complete) return
        if (before !== undefined && bytesRead > before) watch(bytesRead)
        else incoming.socket.destroy()
      })
    }
    watch(isUpload(incoming) ? incoming.socket.bytesRead : undefined)
    incoming.once('close', () => cancel())
  })
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

const isUpload = ({ method, url = '' }: IncomingMessage) => method === 'PUT' && url.startsWith('/v1/uploads/')
