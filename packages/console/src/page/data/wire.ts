import { MatchyardError } from '@matchyard/client'
import { createParser } from 'eventsource-parser'
import { network } from './network'

/** One page of a list. */
export interface Page<T> {
  readonly data: readonly T[]
  readonly has_more: boolean
  readonly total?: number
  /** Cursor of the next page, for lists with cursors. */
  readonly next_cursor?: string | null
}

/** Query parameters of a call. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** An event of a stream. */
export interface StreamEvent {
  readonly name: string
  readonly data: string
  readonly id: string | undefined
}

export interface StreamOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** Called with each event, in order. */
  event(event: StreamEvent): void
  /** Called when bytes of the stream arrive: an event or a ping. */
  heard(): void
}

interface Problem {
  readonly code?: MatchyardError['code']
  readonly detail?: string
  readonly number?: number
  readonly details?: MatchyardError['details']
  readonly request_id?: string
}

/**
 * Client with one credential, for calls that the client packages do not have: sign-in, keys, the plan, and event
 * streams of a project. It rejects with the client's `MatchyardError`, so that views show all errors in the same way.
 */
export class Wire {
  constructor(private readonly credential: Readonly<Record<string, string>> = {}) {}

  get<T>(path: string, query: Query = {}): Promise<T> {
    return this.call('GET', path + written(query))
  }

  post<T>(path: string, body: unknown = {}): Promise<T> {
    return this.call('POST', path, body)
  }

  put<T>(path: string, body: unknown): Promise<T> {
    return this.call('PUT', path, body)
  }

  patch<T>(path: string, body: unknown): Promise<T> {
    return this.call('PATCH', path, body)
  }

  /** Sends a DELETE; with `playerId` for this player. */
  delete(path: string, playerId?: string): Promise<void> {
    return this.call('DELETE', path, undefined, playerId === undefined ? {} : { 'x-player-id': bytesOf(playerId) })
  }

  /** Sends a call that continues even while the page closes; the result is ignored. */
  async farewell(method: 'POST' | 'DELETE', path: string): Promise<void> {
    const init = { method, headers: this.credential, keepalive: true }
    await network()
      .fetch(network().baseUrl + path, init)
      .catch(() => {})
  }

  /** Yields the pages of a list as they arrive, until `atMost` items have arrived or the list ends. */
  async *pages<T>(path: string, query: Query, atMost: number): AsyncGenerator<readonly T[], void, undefined> {
    let cursor: string | undefined
    for (let count = 0; count < atMost; ) {
      const from = cursor === undefined ? { offset: count === 0 ? undefined : count } : { cursor }
      const page = await this.get<Page<T>>(path, { limit: 100, ...query, ...from })
      count += page.data.length
      yield page.data
      if (!page.has_more || page.data.length === 0) return
      cursor = page.next_cursor ?? undefined
    }
  }

  /**
   * Reads an event stream until it ends. Rejects when the service refuses the stream, when the connection breaks, and
   * when `signal` aborts, with the reason of the abort.
   */
  async stream(path: string, { headers, signal, event, heard }: StreamOptions): Promise<void> {
    const response = await this.send('GET', path, { headers: { ...headers }, signal, cache: 'no-store' })
    const reader = response.body?.getReader()
    if (reader === undefined) return
    let id: string | undefined
    const parser = createParser({
      onEvent: (message) => {
        id = message.id ?? id
        event({ name: message.event ?? 'message', data: message.data, id: message.id })
      },
    })
    const decoder = new TextDecoder()
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw signal.aborted ? cause : unreachable(cause)
      })
      if (done) return
      heard()
      parser.feed(decoder.decode(value, { stream: true }))
    }
  }

  private async call<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    const init =
      body === undefined
        ? { headers }
        : { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
    const response = await this.send(method, path, { ...init, cache: 'no-store' })
    const text = await response.text()
    return (text === '' ? undefined : JSON.parse(text)) as T
  }

  private async send(method: string, path: string, init: RequestInit): Promise<Response> {
    const headers = { ...this.credential, ...(init.headers as Record<string, string> | undefined) }
    let response: Response
    try {
      response = await network().fetch(network().baseUrl + path, { ...init, method, headers })
    } catch (cause) {
      throw init.signal?.aborted ? cause : unreachable(cause)
    }
    if (response.ok) return response
    throw refusal(response, await response.text().catch(() => ''))
  }
}

/** Returns the UTF-8 bytes of a text as a header value, whose characters are bytes. */
const bytesOf = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text))

/** Returns an id as a segment of a path. */
export const part = (id: string): string => encodeURIComponent(id)

function written(query: Query): string {
  const all = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) all.set(name, String(value))
  return all.size === 0 ? '' : `?${all}`
}

const unreachable = (cause: unknown) =>
  new MatchyardError('UNREACHABLE', { detail: 'The service does not answer.', cause })

/**
 * Returns the error of a refused call, with the service's code and detail; `UNEXPECTED_ANSWER` when the body is not an
 * error of the service.
 */
export function refusal({ status }: Response, text: string): MatchyardError {
  let problem: Problem = {}
  try {
    problem = JSON.parse(text) as Problem
  } catch {}
  const {
    code = 'UNEXPECTED_ANSWER',
    detail = `Unexpected response with status ${status}: another program answered.`,
  } = problem
  return new MatchyardError(code, {
    detail,
    status,
    number: problem.number ?? 0,
    details: problem.details ?? {},
    requestId: problem.request_id ?? '',
  })
}
