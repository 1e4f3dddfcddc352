import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { MAX_BODY_BYTES } from '@matchyard/core/domain'
import type { Timers } from '@matchyard/core/ports'
import { HeldBytes } from './held-bytes'
import { MAX_HEAD_BYTES } from './long-heads'
import { networkOf } from './middleware/client-address'
import { SYSTEM_TIMERS } from './options'

/**
 * Milliseconds within which a request's headers, and the whole request, must arrive (docs/http-api.md §1, "Slow
 * senders").
 */
const HEADERS_MS = 10_000
const REQUEST_MS = 30_000
/**
 * Milliseconds for which an idle connection is kept. Proxies and load balancers keep their idle connections for a
 * shorter time, usually 60 s. They must close a connection before this service does: otherwise a request may arrive on
 * a connection that is being closed, and be lost.
 */
const KEPT_IDLE_MS = 75_000

/**
 * Options for `createServer`: how long an idle connection is kept, the maximum length of a request's head, and Node's
 * own timeout for the headers, checked every second. Node's timeout for whole requests is off, because it would cut off
 * every large upload; `limitSlowSenders` replaces it.
 */
export const NODE_SERVER_OPTIONS = {
  /** Milliseconds for the headers of a request. */
  headersTimeout: HEADERS_MS,
  /** No timeout for a whole request; `limitSlowSenders` replaces it. */
  requestTimeout: 0,
  /** Milliseconds between two checks of the timeouts. */
  connectionsCheckingInterval: 1_000,
  /** Milliseconds for which an idle connection is kept. */
  keepAliveTimeout: KEPT_IDLE_MS,
  /** Maximum bytes of a request's head. */
  maxHeaderSize: MAX_HEAD_BYTES,
} as const

/** Maximum announced bytes of all request bodies that are arriving at the same time. Uploads do not count. */
const MAX_BODIES_BYTES = 64 * 1024 * 1024

/**
 * Closes the connection of a request that has not arrived completely within 30 seconds. An upload may take longer, as
 * long as bytes keep arriving and no answer is sent. Beyond 64 MiB of arriving bodies, the oldest request of the
 * address that sends the most bytes is closed.
 */
export function limitSlowSenders(
  server: Server,
  timers: Timers = SYSTEM_TIMERS,
  maxBodiesBytes: number = MAX_BODIES_BYTES,
): void {
  const bodies = new HeldBytes<IncomingMessage>(maxBodiesBytes, ({ socket }) => socket.destroy())
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (incoming.complete || !hasBody(incoming)) return
    const { socket } = incoming
    let cancel = () => {}
    const watch = (before: number | undefined) => {
      cancel = timers.after(REQUEST_MS, () => {
        const { bytesRead } = socket
        if (incoming.complete) return
        if (before !== undefined && bytesRead > before && !outgoing.writableFinished) watch(bytesRead)
        else socket.destroy()
      })
    }
    // An upload is read only as fast as it is stored. It may therefore take long, and does not count as bytes held in
    // memory.
    const isLong = isUpload(incoming)
    watch(isLong ? socket.bytesRead : undefined)
    if (!isLong) bodies.add(incoming, networkOf(socket.remoteAddress ?? ''), announced(incoming))
    incoming.once('close', () => {
      cancel()
      bodies.remove(incoming)
    })
  })
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** Returns the announced bytes of a body, but at most `MAX_BODY_BYTES`, because no more of a body is kept in memory. */
const announced = ({ headers }: IncomingMessage) =>
  Math.min(Number(headers['content-length'] ?? MAX_BODY_BYTES), MAX_BODY_BYTES)

const isUpload = ({ method, url = '' }: IncomingMessage) => method === 'PUT' && url.startsWith('/v1/uploads/')
