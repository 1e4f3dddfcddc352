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

/** How long a sender's headers may take, and how often that is looked at. */
export interface HeaderTimeouts {
  readonly headersTimeout: number
  readonly connectionsCheckingInterval: number
}

export interface ListenOptions {
  readonly host: string
  /** 0 is any free one. */
  readonly port: number
  /** In milliseconds; default: 10 s (docs/http-api.md §1, "Slow senders"). */
  readonly headerTimeouts?: HeaderTimeouts
  /** Open at once. Default `MAX_CONNECTIONS`. */
  readonly maxConnections?: number
}

export interface Listening {
  readonly port: number
  readonly baseUrl: string
  /** Tells every caller that this was the last answer, then takes no new connection; resolves at the latest after `graceMs`. */
  close(graceMs: number): Promise<void>
}

/**
 * Connections that wait to be taken. Node's own 511 are one busy moment of a few thousand callers: who comes when it is full is not
 * refused but overheard by the kernel, and calls again after 1, 3 and 7 seconds. The kernel keeps it to its own bound (`somaxconn`).
 */
const BACKLOG = 16_384

/** Handlers of the server: `fetch` for every request, and the shorter way for those that it accepts. */
export type Answering = Pick<MatchyardApp, 'fetch'> & Partial<Pick<MatchyardApp, 'answer'>>

/** Serves the application; throws what the socket throws, `EADDRINUSE` above all. */
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
      // An answer by Node itself bypasses the waiting line: there could be any number of them.
      requireHostHeader: false,
    },
    (incoming, outgoing) => {
      const run = isExpected(incoming) ? () => begin(incoming, outgoing) : () => void outgoing.writeHead(417).end()
      pipelines.take(incoming.socket, outgoing, run)
    },
  )
  // A request like others to all that count and limit them.
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

/** An address of this machine where a listener on `host` is found; in a URL. */
function reachable(host: string): string {
  // Not `localhost`: some clients try only its IPv6 address.
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** Whether a request expects nothing, or what every server knows (RFC 9110 §10.1.1). */
const isExpected = ({ headers: { expect } }: IncomingMessage) => expect === undefined || /^100-continue$/i.test(expect)

/** A port that nobody listens on at this moment. */
export const freePortOn = (host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createProbe().once('error', reject)
    probe.listen({ host, port: 0, exclusive: true }, () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })

/** Throws what listening there would throw, so that a start fails before it has touched anything. */
export async function requireFreePort(host: string, port: number): Promise<void> {
  if (port === 0) return
  await new Promise<void>((resolve, reject) => {
    const probe = createProbe().once('error', reject)
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()))
  })
}
