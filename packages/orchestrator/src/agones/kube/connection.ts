import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https'
import type { KubeConfig } from '@kubernetes/client-node'
import { refusalOf, Unreachable } from './errors'
import { Unanswered } from './no-answer'

export interface KubeCall {
  readonly method: string
  /** Path of the call, with its query. */
  readonly path: string
  readonly body?: object
  readonly type?: string
  /** Content types that the call asks for (header `accept`). Default: JSON. */
  readonly accept?: string
  readonly signal?: AbortSignal
}

export interface KubeAnswer {
  readonly code: number
  readonly text: string
  readonly retryAfter: string | undefined
}

/** Sends calls to the API of one cluster. */
export interface Connection {
  readonly server: string
  send(call: KubeCall): Promise<KubeAnswer>
  /**
   * Returns a stream of text that stays open. Rejects as `send` does, and with an `ApiRefusal` for an answer other than
   * 200.
   */
  stream(call: KubeCall): Promise<AsyncIterable<Buffer>>
}

/**
 * Milliseconds after which the credentials are read again, because the credentials of a pod are replaced while it runs.
 */
const CREDENTIALS_MS = 60_000
/** Milliseconds within which the full answer to a call must arrive; streams have no limit. */
const TIMEOUT_MS = 15_000
/**
 * Milliseconds without data before a TCP keep-alive probe, which detects a peer that vanished without closing the
 * connection.
 */
const KEEP_ALIVE_MS = 30_000
/** Maximum bytes of an answer. Server logs are the largest answers. */
const MAX_ANSWER_BYTES = 64 * 1024 ** 2

type Credentials = Pick<RequestOptions, 'headers' | 'auth' | 'agent'>

/**
 * Returns a connection to the cluster of a kubeconfig's current context, with the context's certificates and
 * credentials. Throws a TypeError when the context names no cluster.
 */
export function connectionOf(config: KubeConfig, now: () => number = () => performance.now()): Connection {
  const cluster = config.getCurrentCluster()
  if (cluster === null) throw new TypeError(`the kubeconfig's context "${config.getCurrentContext()}" names no cluster`)
  const server = new URL(cluster.server)
  // Path prefix of a cluster behind a gateway to many clusters, for example `https://gateway/k8s/clusters/c-x`.
  const prefix = server.pathname.replace(/(?<!\/)\/+$/, '')
  const isTls = server.protocol === 'https:'
  // The library refuses a configuration that does not verify certificates, even for plain HTTP, which has no
  // certificates.
  if (!isTls) Object.assign(cluster, { skipTLSVerify: true })
  let known: { readonly at: number; readonly credentials: Credentials } | undefined
  let asking: Promise<Credentials> | undefined
  let agent: { readonly key: string; readonly agent: HttpAgent } | undefined

  /**
   * Returns credentials. Concurrent calls share one request, because a plugin is a program and must not start for each
   * call. If a call was aborted while it waited, the next call starts a new request.
   */
  async function credentials(signal: AbortSignal | undefined): Promise<Credentials> {
    if (known !== undefined && now() - known.at < CREDENTIALS_MS) return known.credentials
    const mine = asking ?? freshCredentials()
    asking = mine
    try {
      return await unlessAborted(mine, signal)
    } finally {
      if (asking === mine) asking = undefined
    }
  }

  async function freshCredentials(): Promise<Credentials> {
    const options: RequestOptions = {}
    await config.applyToHTTPSOptions(options)
    const { ca, cert, key, rejectUnauthorized, servername, headers, auth } = options
    const trust = { ca, cert, key, servername, ...(rejectUnauthorized === undefined ? {} : { rejectUnauthorized }) }
    const same = JSON.stringify([String(ca), String(cert), String(key)])
    // With a proxy, the library's HTTP agent is used. Without a proxy, an agent of this service is used, which keeps
    // connections open.
    if (cluster?.proxyUrl === undefined && agent?.key !== same) {
      const kept = { keepAlive: true, keepAliveMsecs: KEEP_ALIVE_MS }
      agent?.agent.destroy()
      agent = { key: same, agent: isTls ? new HttpsAgent({ ...kept, ...trust }) : new HttpAgent(kept) }
    }
    const mine = agent?.agent ?? options.agent
    const fresh = {
      ...(headers === undefined ? {} : { headers: trimmed(headers) }),
      ...(auth ? { auth } : {}),
      agent: mine,
    } as Credentials
    known = { at: now(), credentials: fresh }
    return fresh
  }

  async function open(call: KubeCall): Promise<IncomingMessage> {
    const {
      headers,
      auth,
      agent: through,
    } = await credentials(call.signal).catch((error: unknown) => {
      throw new Unreachable(`no credentials for ${server.host}: ${wordsOf(error)}`)
    })
    const body = call.body === undefined ? undefined : Buffer.from(JSON.stringify(call.body))
    return new Promise((resolve, reject) => {
      const request = (isTls ? httpsRequest : httpRequest)(
        new URL(`${prefix}${call.path}`, server),
        {
          method: call.method,
          agent: through,
          ...(auth ? { auth } : {}),
          ...(call.signal === undefined ? {} : { signal: call.signal }),
          headers: {
            accept: call.accept ?? 'application/json',
            ...headers,
            ...(body === undefined
              ? {}
              : { 'content-type': call.type ?? 'application/json', 'content-length': body.length }),
          },
        },
        resolve,
      )
      request.once('socket', (socket) => socket.setKeepAlive(true, KEEP_ALIVE_MS))
      request.once('error', (error) => reject(new Unreachable(`${server.host} does not answer: ${wordsOf(error)}`)))
      request.end(body)
    })
  }

  const settled = (answer: IncomingMessage) => {
    if (answer.statusCode === 401) known = undefined
  }

  return {
    server: server.host,
    async send(call) {
      const timeout = AbortSignal.timeout(TIMEOUT_MS)
      const signal = call.signal === undefined ? timeout : AbortSignal.any([timeout, call.signal])
      try {
        const answer = await open({ ...call, signal })
        settled(answer)
        return {
          code: answer.statusCode ?? 0,
          text: await textOf(answer, server.host),
          retryAfter: answer.headers['retry-after'],
        }
      } catch (error) {
        throw timeout.aborted ? new Unanswered(wordsOf(error)) : error
      }
    },
    async stream(call) {
      const answer = await open(call)
      settled(answer)
      const code = answer.statusCode ?? 0
      if (code !== 200) throw refusalOf(code, await textOf(answer, server.host), answer.headers['retry-after'])
      return answer
    },
  }
}

async function textOf(answer: IncomingMessage, host: string): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > MAX_ANSWER_BYTES) throw new Error(`an answer of more than ${MAX_ANSWER_BYTES} bytes`)
      chunks.push(chunk)
    }
  } catch (error) {
    throw new Unreachable(`the answer of ${host} was lost: ${wordsOf(error)}`)
  }
  return Buffer.concat(chunks).toString()
}

/** Returns headers without whitespace around their values: a token from a file may end with a newline. */
const trimmed = (headers: NonNullable<RequestOptions['headers']>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  )

const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('they do not come in time')), { once: true })
    }),
  ])

/** Returns the message of an error, without any content of the request. */
export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
