import type { Problem } from '../api/types'
import { isMatchyardError, MatchyardError } from '../errors'
import type { Platform } from '../platform'
import { backoff } from './backoff'
import type { Identity } from './identity'

/** One try, from sending to the last byte of the answer. */
const TRY_MS = 10_000
const UNKEYED_MS = 1_000

/** What browsers know and Node does not; its types neither. */
const NOT_KEPT: object = { cache: 'no-store' }

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** From the root of the service. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Gives up, also between tries; the call is then refused with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Looks, before a call that has no idempotency key is repeated, whether it has happened already. */
  readonly happened?: () => Promise<boolean>
}

export interface CallsOptions {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  readonly identity: Identity
  readonly platform: Platform
  /** Milliseconds for which a call is tried again while nothing answers. */
  readonly retryForMs: number
  /** Told in a sentence what is tried again. */
  readonly log: (sentence: string) => void
}

/** Calls of the service, each tried again where that cannot do any harm. */
export class Calls {
  constructor(private readonly options: CallsOptions) {}

  /** Answers what the service does; undefined where it has nothing to say. Rejects with a `MatchyardError`, or with the signal's reason. */
  async call<T>(call: Call): Promise<T> {
    const { platform, retryForMs } = this.options
    // Counted in tries and waits: a machine that slept has not tried.
    let left = retryForMs
    // The same for each try: one whose answer was lost is not done again.
    const key = call.method === 'POST' ? { 'idempotency-key': this.newKey() } : {}
    let renewed = false
    for (let failures = 0; ; ) {
      const began = platform.now()
      try {
        const text = await this.try({ ...call, headers: { ...call.headers, ...key } })
        return (text === '' ? undefined : JSON.parse(text)) as T
      } catch (error) {
        if (call.signal?.aborted) throw call.signal.reason
        if (!renewed && this.options.identity.renews(error)) {
          renewed = true
          continue
        }
        if (!isMatchyardError(error) || !isPassing(error)) throw error
        // What has no idempotency key must not overtake the try before, which may still be on its way.
        const least = call.method === 'PATCH' || call.method === 'DELETE' ? UNKEYED_MS : 0
        const delay = Math.max(backoff(failures++, platform.random()), error.retryAfterMs ?? least)
        left -= delay + Math.min(Math.max(0, platform.now() - began), TRY_MS)
        if (left < 0) throw error
        if (failures === 1) this.options.log(`${call.method} ${call.path}: ${error.detail}; it is tried again`)
        await this.sleep(delay, call.signal)
        if (call.happened !== undefined && (await call.happened())) return undefined as T
      }
    }
  }

  /** One try, whatever becomes of it. */
  async once(call: Call): Promise<void> {
    await this.try(call)
  }

  /** One try, whose answer is still to be read; refusals are thrown. `signal` ends the reading too. */
  async open(call: Call, signal: AbortSignal): Promise<Response> {
    const { baseUrl, headers, identity } = this.options
    return this.fetch(baseUrl + call.path, {
      method: call.method,
      headers: {
        ...headers,
        ...(await identity.headers().catch((cause: unknown) => {
          throw unreachable(cause)
        })),
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      ...NOT_KEPT,
      signal,
    })
  }

  /** A request as it is given; a refusal is thrown. */
  async fetch(url: string, init: RequestInit): Promise<Response> {
    let response: Response
    try {
      response = await this.options.platform.fetch(url, init)
    } catch (cause) {
      throw unreachable(cause)
    }
    if (response.ok) return response
    const text = await response.text().catch((cause: unknown) => {
      throw unreachable(cause)
    })
    throw refusal(response, text)
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        callOff()
        reject(signal?.reason)
      }
      const callOff = this.options.platform.after(milliseconds, () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      })
      if (signal?.aborted) stop()
      signal?.addEventListener('abort', stop, { once: true })
    })
  }

  private async try(call: Call): Promise<string> {
    const { signal } = call
    const abort = new AbortController()
    const stop = () => abort.abort(signal?.reason)
    const tooLate = this.options.platform.after(TRY_MS, () => abort.abort(new Error(`no answer within ${TRY_MS} ms`)))
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
    try {
      const response = await this.open(call, abort.signal)
      const text = await response.text().catch((cause: unknown) => {
        throw unreachable(cause)
      })
      if (text !== '' && !isJson(text)) throw unexpected(response)
      return text
    } finally {
      tooLate()
      signal?.removeEventListener('abort', stop)
    }
  }

  /** Only its player's own calls must not have the same one. */
  private newKey(): string {
    const { random, now } = this.options.platform
    const part = () => random().toString(36).slice(2)
    return `${now().toString(36)}-${part()}${part()}`
  }
}

/** Whether the same call may be answered otherwise a little later. */
export function isPassing(error: MatchyardError): boolean {
  if (isMatchyardError(error, 'UNREACHABLE', 'UNAVAILABLE', 'RATE_LIMITED', 'CONFLICT')) return true
  // A proxy's own 5xx, or an answer that broke off; its 404 and its pages say that the address is wrong.
  return isMatchyardError(error, 'UNEXPECTED_ANSWER') && (error.status >= 500 || error.details.cut === true)
}

const unreachable = (cause: unknown): MatchyardError =>
  isMatchyardError(cause)
    ? cause
    : new MatchyardError('UNREACHABLE', {
        detail: `the service cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`,
        cause,
      })

const unexpected = (response: Response): MatchyardError =>
  new MatchyardError('UNEXPECTED_ANSWER', {
    detail: `what answered with status ${response.status} was not the service`,
    status: response.status,
    details: { cut: /json/.test(response.headers.get('content-type') ?? '') },
    retryAfterMs: retryAfterOf(response),
  })

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function refusal(response: Response, text: string): MatchyardError {
  let problem: Partial<Problem> = {}
  try {
    problem = JSON.parse(text) as Partial<Problem>
  } catch {}
  const { code, detail = '', number = 0, details = {}, request_id: requestId = '' } = problem
  if (code === undefined) return unexpected(response)
  const { status } = response
  return new MatchyardError(code, { detail, number, details, requestId, status, retryAfterMs: retryAfterOf(response) })
}

function retryAfterOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1000 : undefined
}
