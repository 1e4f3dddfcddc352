import type { Page } from '../api/types'
import type { Calls, Method } from '../calls/calls'
import type { Platform } from '../platform'

const PAGE = 100

/** Context that the resources of one admin client share. */
export interface ResourceContext {
  readonly calls: Calls
  readonly platform: Platform
  /** Project id, which calls with a session need. */
  readonly projectId: string | undefined
  /** Milliseconds for which a call without an answer is retried. */
  readonly retryForMs: number
}

interface Stretch<T> {
  readonly data: readonly T[]
  readonly next_cursor?: string | null
}

/** Parameters of a list's query: names and values. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** Base class of a resource of the service. */
export class Resource {
  /** @internal */
  constructor(protected readonly context: ResourceContext) {}

  protected read<T>(path: string, query: Query = {}): Promise<T> {
    return this.call<T>('GET', path, undefined, query)
  }

  protected call<T>(method: Method, path: string, body?: object, query: Query = {}): Promise<T> {
    return this.context.calls.call<T>(method, `/v1${path}${this.written(query)}`, body)
  }

  /** Sends one GET request, without retries, and returns the answer with its unread body. */
  protected open(
    path: string,
    query: Query,
    signal: AbortSignal,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response> {
    return this.context.calls.open(`/v1${path}${this.written(query)}`, signal, headers)
  }

  /** Yields all items of a list. Reads the next page only when the caller needs it. */
  protected async *pages<T>(path: string, query: Query = {}): AsyncGenerator<T, void, undefined> {
    for (let offset = 0, more = true; more; ) {
      const page = await this.read<Page<T>>(path, { ...query, limit: PAGE, offset })
      yield* page.data
      // The limit of bytes may end a page before the limit of items, so the number of items that arrived is added.
      offset += page.data.length
      more = page.has_more && page.data.length > 0
    }
  }

  /** Yields all items of a list with cursors. Reads the next answer only when the caller needs it. */
  protected async *walk<T>(path: string, query: Query, limit: number): AsyncGenerator<T, void, undefined> {
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const answer: Stretch<T> = await this.read(path, { ...query, limit, cursor })
      yield* answer.data
      cursor = answer.next_cursor ?? undefined
    }
  }

  private written(query: Query): string {
    const all = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...query, project_id: this.context.projectId })) {
      if (value !== undefined) all.set(name, String(value))
    }
    return all.size === 0 ? '' : `?${all}`
  }
}

/** Returns an id in the encoding for one segment of a URL's path. */
export const part = (id: string): string => encodeURIComponent(id)
