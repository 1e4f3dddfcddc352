import type { Connection, KubeCall } from './connection'
import { isRefused, refusalOf } from './errors'
import type { KubeItem, KubeList } from './shapes'

export interface ResourcePath {
  readonly group: string
  readonly version: string
  readonly plural: string
}

export const GAMESERVERS: ResourcePath = { group: 'agones.dev', version: 'v1', plural: 'gameservers' }
export const PODS: ResourcePath = { group: '', version: 'v1', plural: 'pods' }
export const SECRETS: ResourcePath = { group: '', version: 'v1', plural: 'secrets' }
export const FLEETS: ResourcePath = { group: 'agones.dev', version: 'v1', plural: 'fleets' }
/** Not kept: creating one is asking. */
export const ALLOCATIONS: ResourcePath = {
  group: 'allocation.agones.dev',
  version: 'v1',
  plural: 'gameserverallocations',
}

/** Waits without holding the process; a test's own time passes by itself. */
export interface Pauses {
  pause(ms: number, signal?: AbortSignal): Promise<void>
  now(): number
}

const PAGE = 500
/** A throttled call is tried so often. */
const THROTTLED_TRIES = 4
/** A client that is asked to wait longer gives up and comes again later. */
const MAX_WAIT_MS = 5_000

/** The calls that are made of one namespace. */
export class KubeClient {
  constructor(
    private readonly connection: Connection,
    readonly namespace: string,
    private readonly pauses: Pauses,
  ) {}

  get server(): string {
    return this.connection.server
  }

  path({ group, version, plural }: ResourcePath, name?: string, query: Readonly<Record<string, string>> = {}): string {
    const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
    const text = new URLSearchParams(query).toString()
    const of = name === undefined ? '' : `/${name}`
    return `${base}/namespaces/${this.namespace}/${plural}${of}${text === '' ? '' : `?${text}`}`
  }

  /** undefined where there is none of the name. */
  async get<T extends KubeItem>(resource: ResourcePath, name: string): Promise<T | undefined> {
    return unlessGone(this.ask<T>({ method: 'GET', path: this.path(resource, name) }))
  }

  create<T extends KubeItem>(resource: ResourcePath, body: object, query: Record<string, string> = {}): Promise<T> {
    return this.ask<T>({ method: 'POST', path: this.path(resource, undefined, query), body })
  }

  /** undefined where it is gone. A version in the patch is expected: another one is a 409. */
  patch<T extends KubeItem>(resource: ResourcePath, name: string, body: object): Promise<T | undefined> {
    const type = 'application/merge-patch+json'
    return unlessGone(this.ask<T>({ method: 'PATCH', path: this.path(resource, name), body, type }))
  }

  /** Deletes this very object, not another one of its name; one that is gone is fine. */
  async delete(
    resource: ResourcePath,
    { name, uid }: { name: string; uid: string },
    graceSeconds?: number,
  ): Promise<void> {
    try {
      await this.askToDelete(resource, name, { uid }, graceSeconds)
    } catch (error) {
      if (!isRefused(error, 404, 409)) throw error
    }
  }

  /** The same, only as it was when it was seen: false where it has changed since. */
  async deleteAsSeen(
    resource: ResourcePath,
    { name, uid, resourceVersion }: { name: string; uid: string; resourceVersion: string },
    graceSeconds?: number,
  ): Promise<boolean> {
    try {
      await this.askToDelete(resource, name, { uid, resourceVersion }, graceSeconds)
      return true
    } catch (error) {
      if (isRefused(error, 404)) return true
      if (isRefused(error, 409)) return false
      throw error
    }
  }

  /** All that a selector takes, page by page, and the version that this was read at. */
  async list<T extends KubeItem>(
    resource: ResourcePath,
    labelSelector: string,
  ): Promise<{ items: T[]; version: string }> {
    const items: T[] = []
    let next: string | undefined
    for (;;) {
      const more = next === undefined ? {} : { continue: next }
      const query = { labelSelector, limit: String(PAGE), ...more }
      const page: KubeList<T> = await this.ask({ method: 'GET', path: this.path(resource, undefined, query) })
      items.push(...page.items)
      next = page.metadata.continue
      if (next === undefined || next === '') return { items, version: page.metadata.resourceVersion }
    }
  }

  watch(
    resource: ResourcePath,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Buffer>> {
    return this.connection.stream({
      method: 'GET',
      path: this.path(resource, undefined, { ...query, watch: 'true' }),
      signal,
    })
  }

  async text(path: string): Promise<string> {
    return this.send({ method: 'GET', path })
  }

  async ask<T>(call: KubeCall): Promise<T> {
    return JSON.parse(await this.send(call)) as T
  }

  private async askToDelete(
    resource: ResourcePath,
    name: string,
    preconditions: Readonly<Record<string, string>>,
    graceSeconds: number | undefined,
  ): Promise<void> {
    const grace = graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds }
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background', preconditions, ...grace }
    await this.ask({ method: 'DELETE', path: this.path(resource, name), body })
  }

  /** Throttled, it waits as long as it is asked to. Nothing else is repeated here: who asks knows what may have been done. */
  private async send(call: KubeCall): Promise<string> {
    for (let tries = 1; ; tries++) {
      const { code, text, retryAfter } = await this.connection.send(call)
      if (code >= 200 && code < 300) return text
      const refusal = refusalOf(code, text, retryAfter)
      const waitMs = refusal.retryAfterMs ?? 1_000
      if (code !== 429 || tries === THROTTLED_TRIES || waitMs > MAX_WAIT_MS) throw refusal
      await this.pauses.pause(waitMs, call.signal)
    }
  }
}

async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isRefused(error, 404)) return undefined
    throw error
  }
}
