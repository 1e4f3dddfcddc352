import type { IncomingMessage, Server } from 'node:http'
import type { Timers } from '@matchyard/core/ports'
import { SYSTEM_TIMERS } from './options'

/** A request's headers arrive within this time, the whole of it within the other (docs/http-api.md §1, "Slow senders"). */
const HEADERS_MS = 10_000
const REQUEST_MS = 30_000

/**
 * For `createServer`: Node's own check of the headers, often enough to mean it. Its limit for whole requests is left out because
 * it would cut off every large upload; `limitSlowSenders` stands in for it.
 */
export const NODE_SERVER_OPTIONS = {
  headersTimeout: HEADERS_MS,
  requestTimeout: 0,
  connectionsCheckingInterval: 1_000,
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
