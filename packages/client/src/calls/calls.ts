import type { Problem } from '../api/types'
import { isMatchyardError, MatchyardError } from '../errors'
import type { Platform } from '../platform'
import { TRY_MS } from '../times'
import { backoff } from './backoff'
import { first, throwIfAborted, whenAborted } from './first'
import type { Identity } from './identity'

/** Option of `fetch` by which browsers do not cache an answer. Node and Node's types do not have this option. */
const NOT_KEPT: object = { cache: 'no-store' }

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

type Headers = Readonly<Record<string, string>>

export interface CallsOptions {
  readonly baseUrl: string
  readonly headers: Headers
  readonly identity: Identity
  readonly platform: Platform
  /** Milliseconds for which a call without an answer is retried. */
  readonly retryForMs: number
  /** Called with a sentence for a developer about each retry. */
  readonly log: (sentence: string) => void
}

/** Options of one call. */
export interface CallOptions {
  /** Cancels the call, also while it waits for its next try. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Calls of the service. A call is retried when it is safe to repeat. Paths start at the root of the service. */
export interface Calls {
  /**
   * Resolves with the service's answer, or with undefined for an empty answer. Rejects with a `MatchyardError`, or with
   * the signal's reason.
   */
  call<T>(method: Method, path: string, body?: object, options?: CallOptions): Promise<T>
  /** Sends a request once, without retries. */
  once(method: Method, path: string): Promise<unknown>
  /**
   * Sends one GET request, without retries, and returns the answer with its unread body. Throws the service's error
   * when the request is refused. `signal` also ends the reading of the body.
   */
  open(path: string, signal: AbortSignal, headers?: Headers): Promise<Response>
  /** Sends a request to any URL, without changes. Throws the service's error when the request is refused. */
  fetch(url: string, init: RequestInit): Promise<Response>
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export function callsOf({ baseUrl, headers, identity, platform, retryForMs, log }: CallsOptions): Calls {
  const { after, now, random } = platform

  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    try {
      const response = await platform.fetch(url, init)
      if (response.ok) return response
      throw refusal(response, await response.text())
    } catch (cause) {
      throw unreachable(cause)
    }
  }

  const send = async (method: Method, path: string, signal: AbortSignal, more?: Headers, body?: object) =>
    fetch(baseUrl + path, {
      method,
      headers: {
        ...headers,
        ...(await identity.headers()),
        ...(body && { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body && { body: JSON.stringify(body) }),
      ...NOT_KEPT,
      signal,
    })

  const once = async (method: Method, path: string, more?: Headers, body?: object, signal?: AbortSignal) => {
    const abort = new AbortController()
    const stop = whenAborted(signal, () => abort.abort())
    const inTime = after(TRY_MS, () => abort.abort(new Error(`no answer within ${TRY_MS} ms`)))
    try {
      const response = await send(method, path, abort.signal, more, body)
      return said(response, await response.text())
    } catch (cause) {
      throw unreachable(cause)
    } finally {
      inTime()
      stop()
    }
  }

  const sleep = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    await first(
      (done) => after(milliseconds, done),
      (done) => whenAborted(signal, done),
    )
    throwIfAborted(signal)
  }

  /** Returns a new idempotency key; it need only be unique among the calls of one player. */
  const newKey = (): string => [now(), random(), random()].map((part) => part.toString(36).slice(-12)).join('-')

  const call = async <T>(method: Method, path: string, body?: object, { signal }: CallOptions = {}) => {
    // `retryForMs` counts the time of the tries and of the waits between them, but not the time in which the machine
    // sleeps.
    let left = retryForMs
    // All tries share one key, so that the service does not repeat a call whose answer was lost, and so that a try
    // which arrives late changes nothing.
    const key = method === 'GET' ? undefined : { 'idempotency-key': newKey() }
    let renewed = false
    for (let failures = 0; ; ) {
      const began = now()
      try {
        return (await once(method, path, key, body, signal)) as T
      } catch (error) {
        throwIfAborted(signal)
        if (!renewed && identity.renews(error)) {
          renewed = true
          continue
        }
        if (!isPassing(error)) throw error
        const delay = Math.max(backoff(failures++, random()), error.retryAfterMs ?? 0)
        left -= delay + Math.min(Math.max(0, now() - began), TRY_MS)
        if (left < 0) throw error
        if (failures === 1) log(`${method} ${path}: ${error.detail}; it is tried again`)
        await sleep(delay, signal)
      }
    }
  }

  return { call, once, open: (path, signal, more) => send('GET', path, signal, more), fetch, sleep }
}

/** Whether a thrown error is temporary, so that the same call may succeed a little later. */
export function isPassing(error: unknown): error is MatchyardError {
  if (isMatchyardError(error, 'UNREACHABLE', 'UNAVAILABLE', 'RATE_LIMITED', 'CONFLICT')) return true
  // A 5xx status from a proxy, or an answer that was cut off, is temporary. A 404 from a proxy, or a web page, means
  // that the address is wrong.
  return isMatchyardError(error, 'UNEXPECTED_ANSWER') && (error.status >= 500 || error.details.cut === true)
}

/** Returns the error of a call that got no answer of the service; an error of the service as it is. */
export const unreachable = (cause: unknown): MatchyardError =>
  isMatchyardError(cause)
    ? cause
    : new MatchyardError('UNREACHABLE', {
        detail: `the service cannot be reached: ${cause instanceof Error ? cause.message : cause}`,
        cause,
      })

function said(response: Response, text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    throw refusal(response, text)
  }
}

/**
 * Returns the error of an answer: the error of the service, or an error which says that the answer is not from the
 * service.
 */
function refusal({ status, headers }: Response, text: string): MatchyardError {
  let problem: Partial<Problem> = {}
  try {
    problem = Object(JSON.parse(text))
  } catch {}
  const {
    code = 'UNEXPECTED_ANSWER',
    number = 0,
    detail = `what answered with status ${status} was not the service`,
    details = { cut: /json/.test(headers.get('content-type') ?? '') },
    request_id: requestId = '',
  } = problem
  const seconds = Number.parseFloat(headers.get('retry-after') ?? '')
  const retryAfterMs = seconds >= 0 ? seconds * 1000 : undefined
  return new MatchyardError(code, { number, detail, details, requestId, status, retryAfterMs })
}
