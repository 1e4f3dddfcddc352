import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import type { LookupFunction } from 'node:net'
import {
  type AddressPolicy,
  FetchFailed,
  type GuardedAnswer,
  type GuardedFetch,
  type GuardedRequest,
} from '@matchyard/core/ports'
import { type JudgedUrl, judgeUrl } from './addresses/judge-url'
import { judgedAddresses, type Resolve, type ResolvedAddress, resolveByDns, resolveBySystem } from './addresses/resolve'

/** Options of `guardedFetch`. */
export interface GuardedFetchOptions {
  /** Resolves names in place of the machine's name resolution. */
  readonly resolve?: Resolve
  /** Certificates of trusted authorities as PEM, which replace the usual authorities. */
  readonly ca?: string | readonly string[]
}

/**
 * Returns an HTTP client for addresses that customers choose. Each call opens its own connection, to an address that
 * was checked for this call.
 */
export function guardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const byDns = options.resolve ?? resolveByDns()
  const bySystem = options.resolve ?? resolveBySystem
  // Names in a hosts file are seldom public, and public names are in the DNS. So the hosts file is used only when
  // non-public addresses are allowed.
  const resolverFor = (policy: AddressPolicy) => (policy.allowLoopback || policy.allowPrivate ? bySystem : byDns)
  const judged = async (target: JudgedUrl, policy: AddressPolicy) =>
    target.isAddress ? undefined : await judgedAddresses(resolverFor(policy), target.host, policy)

  return {
    async fetch(request, policy) {
      const target = judgeUrl(request.url, policy)
      return await withinTime(request.timeoutMs, async (signal) => {
        const addresses = await judged(target, policy)
        signal.throwIfAborted()
        return await call(request, target, addresses, signal, options.ca)
      })
    },
    async check(url, policy) {
      const target = judgeUrl(url, policy)
      try {
        await withinTime(CHECK_TIMEOUT_MS, () => judged(target, policy))
      } catch (error) {
        if (!(error instanceof FetchFailed)) throw error
      }
    },
  }
}

const CHECK_TIMEOUT_MS = 5_000

async function withinTime<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const late = new FetchFailed('timeout', `no whole answer within ${ms} ms`)
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, fail) => {
    timer = setTimeout(() => {
      fail(late)
      controller.abort(late)
    }, ms)
  })
  try {
    return await Promise.race([work(controller.signal), timeout])
  } finally {
    clearTimeout(timer)
  }
}

function call(
  { method, headers, body, maxResponseBytes }: GuardedRequest,
  { url, host, port }: JudgedUrl,
  addresses: readonly ResolvedAddress[] | undefined,
  signal: AbortSignal,
  ca: GuardedFetchOptions['ca'],
): Promise<GuardedAnswer> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => reject(error instanceof FetchFailed ? error : failureOf(error))
    const options: RequestOptions = {
      method,
      host,
      port,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, 'content-length': body === undefined ? 0 : Buffer.byteLength(body) },
      // No connection pool is used: a connection from a pool may lead to an address that was checked under another
      // policy.
      agent: false,
      ...(addresses === undefined ? {} : { lookup: lookupOf(addresses) }),
      ...(ca === undefined ? {} : { ca: typeof ca === 'string' ? ca : [...ca] }),
    }
    let sent: ClientRequest
    try {
      sent = url.protocol === 'https:' ? httpsRequest(options) : httpRequest(options)
    } catch (error) {
      return failed(error as Error)
    }
    signal.addEventListener('abort', () => sent.destroy(), { once: true })
    sent.on('error', failed)
    // An answer that changes to another protocol has no body to read, so the call fails.
    sent.on('upgrade', (_answer, socket) => {
      socket.destroy()
      failed(new FetchFailed('connection', 'it asked for another protocol'))
    })
    sent.on('response', (answer) => {
      readBody(answer, maxResponseBytes)
        .then(resolve, failed)
        .finally(() => sent.destroy())
    })
    sent.end(body)
  })
}

/** Returns a lookup function that returns the checked addresses, without resolving the name again. */
const lookupOf =
  (addresses: readonly ResolvedAddress[]): LookupFunction =>
  (_hostname, { all }, answer) => {
    const [first] = addresses
    if (all) return answer(null, [...addresses])
    if (first === undefined) return answer(new Error('no address'), '', 0)
    answer(null, first.address, first.family)
  }

async function readBody(answer: IncomingMessage, maxBytes: number): Promise<GuardedAnswer> {
  const chunks: Buffer[] = []
  let bytes = 0
  let truncated = false
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, maxBytes - bytes))
    bytes += chunk.length
    truncated = bytes > maxBytes
    if (truncated) break
  }
  const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const)
  return {
    status: answer.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: new Uint8Array(Buffer.concat(chunks)),
    truncated,
  }
}

function failureOf(error: Error & { code?: string }): FetchFailed {
  const what = error.code ?? error.message.split('\n')[0] ?? 'unknown'
  return new FetchFailed('connection', `no whole answer: ${what}`)
}
