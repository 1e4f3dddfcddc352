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

export interface GuardedFetchOptions {
  /** Replaces the machine's resolving of names. */
  readonly resolve?: Resolve
  /** Certificates of authorities that are trusted instead of the usual ones, PEM. */
  readonly ca?: string | readonly string[]
}

/** Calls addresses that strangers name; each connection is made for one call, to an address that was judged for it. */
export function guardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const byDns = options.resolve ?? resolveByDns()
  const bySystem = options.resolve ?? resolveBySystem
  // Names in a hosts file are seldom public, and a public name is in the DNS.
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
      // A connection that is kept was made for another judgement.
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
    // A switch of protocols leaves nobody to read: it is no answer.
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

/** Returns the judged addresses without another lookup. */
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
