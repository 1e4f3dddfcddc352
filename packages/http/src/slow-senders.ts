import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { MAX_BODY_BYTES } from '@matchyard/core/domain'
import type { Timers } from '@matchyard/core/ports'
import { HeldBytes } from './held-bytes'
import { MAX_HEAD_BYTES } from './long-heads'
import { networkOf } from './middleware/client-address'
import { SYSTEM_TIMERS } from './options'

/** A request's headers arrive within this time, the whole of it within the other (docs/http-api.md §1, "Slow senders"). */
const HEADERS_MS = 10_000
const REQUEST_MS = 30_000
/**
 * An idle connection is kept longer than by proxies and balancers (60 s as a rule): the sending side must close first, or a request meets the
 * end of its connection and is lost.
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

/** Bytes of bodies that have begun to arrive, as they were announced. */
const MAX_BODIES_BYTES = 64 * 1024 * 1024

/**
 * Closes the connection of a request that has not arrived whole in 30 seconds. An upload may take longer, as long as bytes keep coming and it was not
 * answered before its end. Past 64 MiB of bodies on their way the address that sends the most of them loses the one that began first.
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
    // An upload is read no faster than it is stored.
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

/** No more than this is kept of a body. */
const announced = ({ headers }: IncomingMessage) =>
  Math.min(Number(headers['content-length'] ?? MAX_BODY_BYTES), MAX_BODY_BYTES)

const isUpload = ({ method, url = '' }: IncomingMessage) => method === 'PUT' && url.startsWith('/v1/uploads/')
