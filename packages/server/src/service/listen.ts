import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import type { MatchyardApp } from '@matchyard/http'

/** Slow senders (contract §1): headers within 10 s, the whole request within 30 s, then the connection is closed. */
export const HEADERS_TIMEOUT_MS = 10_000
export const REQUEST_TIMEOUT_MS = 30_000
/** How often connections are looked at for these. */
const CHECK_EVERY_MS = 1_000

export interface Listening {
  readonly port: number
  readonly baseUrl: string
  /** Takes no new connection; resolves once those that are open have had their answer, at the latest after `graceMs`. */
  close(graceMs: number): Promise<void>
}

/** Serves the application; throws what the socket throws, `EADDRINUSE` above all. Port 0 is any free one. */
export async function listen(app: MatchyardApp, host: string, port: number): Promise<Listening> {
  const server = await new Promise<Server>((resolve, reject) => {
    const started = serve(
      {
        fetch: app.fetch,
        hostname: host,
        port,
        serverOptions: {
          headersTimeout: HEADERS_TIMEOUT_MS,
          requestTimeout: REQUEST_TIMEOUT_MS,
          connectionsCheckingInterval: CHECK_EVERY_MS,
        },
      },
      () => resolve(started as Server),
    )
    started.once('error', reject)
  })
  const address = server.address() as AddressInfo
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return { port: address.port, baseUrl: `http://${shown}:${address.port}`, close: (graceMs) => drain(server, graceMs) }
}

async function drain(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const hurry = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(hurry)
}
