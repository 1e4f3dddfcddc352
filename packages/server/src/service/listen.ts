import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createProbe } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import {
  type HttpEnv,
  limitSlowReaders,
  limitSlowSenders,
  type MatchyardApp,
  NODE_SERVER_OPTIONS,
  refuseLongHeads,
  unreadableRequest,
} from '@matchyard/http'
import { Connections } from './connections'
import { Drain } from './drain'
import { boundedRequests, Pipelines } from './pipelines'

/** Milliseconds within which a request's headers must arrive, and milliseconds between two checks of this timeout. */
export interface HeaderTimeouts {
  readonly headersTimeout: number
  readonly connectionsCheckingInterval: number
}

export interface ListenOptions {
  readonly host: string
  /** Port on which to listen; 0 means any free port. */
  readonly port: number
  /** Timeouts of headers. Default: 10 seconds (docs/http-api.md §1, "Slow senders"). */
  readonly headerTimeouts?: HeaderTimeouts
  /** Maximum number of open connections. Default: `MAX_CONNECTIONS`. */
  readonly maxConnections?: number
}

export interface Listening {
  readonly port: number
  readonly baseUrl: string
  /**
   * Stops the server: each answer to the present callers has the header `connection: close`, then the listener closes.
   * Resolves at the latest after `graceMs` milliseconds.
   */
  close(graceMs: number): Promise<void>
}

/**
 * Maximum number of connections that wait to be accepted. Node's default of 511 is too low when a few thousand callers
 * connect at the same moment. When the queue of connections is full, the kernel silently drops connection requests, and
 * callers repeat them after 1, 3 and 7 seconds. The kernel reduces the number to its own maximum (`somaxconn`).
 */
const BACKLOG = 16_384

/**
 * Handlers of the server: `fetch` for every request, and the faster `answer` for the requests that `answer` accepts.
 */
export type Answering = Pick<MatchyardApp, 'fetch'> & Partial<Pick<MatchyardApp, 'answer'>>

/** Listens on a port and serves the application. Rejects with the socket's error, for example `EADDRINUSE`. */
export async function listen(app: Answering, options: ListenOptions): Promise<Listening> {
  const { host, port, headerTimeouts, maxConnections } = options
  let door: Drain | undefined
  const byFetch = getRequestListener((request, env) => app.fetch(request, env as HttpEnv['Bindings']), {
    errorHandler: unreadableRequest,
  })
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (!app.answer?.(incoming, outgoing)) void byFetch(incoming, outgoing)
  }
  const begin = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const turn = door?.turn()
    if (turn === undefined) answer(incoming, outgoing)
    else void turn.then(() => answer(incoming, outgoing))
  }
  const pipelines = new Pipelines()
  const server = createServer(
    {
      ...NODE_SERVER_OPTIONS,
      ...headerTimeouts,
      IncomingMessage: boundedRequests((socket) => pipelines.isFull(socket)),
      // Node itself would answer a request without a Host header, without the connection's queue, and the number of
      // such answers would be unbounded.
      requireHostHeader: false,
    },
    (incoming, outgoing) => {
      const run = isExpected(incoming) ? () => begin(incoming, outgoing) : () => void outgoing.writeHead(417).end()
      pipelines.take(incoming.socket, outgoing, run)
    },
  )
  // A request with an `Expect` header is counted and limited like every other request.
  server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: BACKLOG }, resolve)
  })
  limitSlowSenders(server)
  refuseLongHeads(server)
  limitSlowReaders(server)
  const drain = new Drain(server, new Connections(server, maxConnections))
  door = drain
  const address = server.address() as AddressInfo
  return {
    port: address.port,
    baseUrl: `http://${reachable(host)}:${address.port}`,
    close: (graceMs) => drain.close(graceMs),
  }
}

/** Returns the host for a URL at which this machine reaches a listener on `host`. */
function reachable(host: string): string {
  // The address is not `localhost`, because some clients try only its IPv6 address.
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** Whether the request has no `Expect` header, or has the only value that every server supports (RFC 9110 §10.1.1). */
const isExpected = ({ headers: { expect } }: IncomingMessage) => expect === undefined || /^100-continue$/i.test(expect)

/** Returns a port on which nothing listens at this moment. */
export const freePortOn = (host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createProbe().once('error', reject)
    probe.listen({ host, port: 0, exclusive: true }, () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })

/** Tries to listen on the port. Rejects with the error, so that the start fails before anything is changed. */
export async function requireFreePort(host: string, port: number): Promise<void> {
  if (port === 0) return
  await new Promise<void>((resolve, reject) => {
    const probe = createProbe().once('error', reject)
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()))
  })
}
