import type { Server } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { serve } from '@hono/node-server'
import { limitSlowSenders, type MatchyardApp, NODE_SERVER_OPTIONS } from '@matchyard/http'
import { countRequests, drain } from './drain'

/** How long a sender's headers may take, and how often that is looked at. */
export interface HeaderTimeouts {
  readonly headersTimeout: number
  readonly connectionsCheckingInterval: number
}

export interface ListenOptions {
  readonly host: string
  /** 0 is any free one. */
  readonly port: number
  /** In milliseconds; default: the contract's 10 s (§1, "Slow senders"). */
  readonly headerTimeouts?: HeaderTimeouts
}

export interface Listening {
  readonly port: number
  readonly baseUrl: string
  /** Takes no new connection once nothing is in hand; resolves when all have had their answer, at the latest after `graceMs`. */
  close(graceMs: number): Promise<void>
}

/** Serves the application; throws what the socket throws, `EADDRINUSE` above all. */
export async function listen(app: MatchyardApp, options: ListenOptions): Promise<Listening> {
  const { host, port, headerTimeouts } = options
  const server = await new Promise<Server>((resolve, reject) => {
    const started = serve(
      {
        fetch: app.fetch,
        hostname: host,
        port,
        serverOptions: { ...NODE_SERVER_OPTIONS, ...headerTimeouts },
      },
      () => resolve(started as Server),
    )
    started.once('error', reject)
  })
  limitSlowSenders(server)
  const inHand = countRequests(server)
  const address = server.address() as AddressInfo
  return {
    port: address.port,
    baseUrl: `http://${reachable(host)}:${address.port}`,
    close: (graceMs) => drain(server, inHand, graceMs),
  }
}

/** An address of this machine where a listener on `host` is found; in a URL. */
function reachable(host: string): string {
  // Not `localhost`: some clients try only its IPv6 address.
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** Throws what listening there would throw, so that a start fails before it has touched anything. */
export async function requireFreePort(host: string, port: number): Promise<void> {
  if (port === 0) return
  await new Promise<void>((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()))
  })
}
