import type { Connection, KubeCall } from './connection'
import { isRefused, refusalOf, Unreachable } from './errors'
import { type Listed, listWhole, METADATA_ONLY } from './listing'
import type { ResourcePath } from './resources'
import { asRead, type KubeItem } from './shapes'

/** Waits without holding the process; a test's own time passes by itself. */
export interface Pauses {
  pause(ms: number, signal?: AbortSignal): Promise<void>
  now(): number
}

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
    return unlessGone(this.ofOne<T>({ method: 'GET', path: this.path(resource, name) }))
  }

  async create<T extends KubeItem>(
    resource: ResourcePath,
    body: object,
    query: Record<string, string> = {},
  ): Promise<T> {
    return asRead(await this.ask<T>({ method: 'POST', path: this.path(resource, undefined, query), body }))
  }

  /** undefined where it is gone. A version in the patch is expected: another one is a 409. */
  patch<T extends KubeItem>(resource: ResourcePath, name: string, body: object): Promise<T | undefined> {
    const type = 'application/merge-patch+json'
    return unlessGone(this.ofOne<T>({ method: 'PATCH', path: this.path(resource, name), body, type }))
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

  /** All that a selector takes, and the version that this was read at. */
  list<T extends KubeItem>(resource: ResourcePath, labelSelector: string): Promise<Listed<T>> {
    return listWhole(this, resource, labelSelector)
  }

  /** The same, of each object only its metadata. */
  listMetadata(resource: ResourcePath, labelSelector: string): Promise<Listed<KubeItem>> {
    return listWhole(this, resource, labelSelector, METADATA_ONLY)
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

  /** Text that goes on coming, until there is no more of it. */
  stream(path: string, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
    return this.connection.stream({ method: 'GET', path, signal })
  }

  async text(path: string): Promise<string> {
    return this.send({ method: 'GET', path })
  }

  async ask<T>(call: KubeCall): Promise<T> {
    const text = await this.send(call)
    try {
      return JSON.parse(text) as T
    } catch {
      throw new Unreachable(`${this.server} answers in words that are not the interface's`)
    }
  }

  /** That there is no such object must be the interface's own word: whatever stands before it may answer 404 for reasons of its own. */
  private async ofOne<T>(call: KubeCall): Promise<T> {
    try {
      return await this.ask<T>(call)
    } catch (error) {
      if (!isRefused(error, 404) || error.reason === 'NotFound') throw error
      throw new Unreachable(`${this.server} answers 404 in words that are not the interface's`)
    }
  }

  private async askToDelete(
    resource: ResourcePath,
    name: string,
    preconditions: Readonly<Record<string, string>>,
    graceSeconds: number | undefined,
  ): Promise<void> {
    const grace = graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds }
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background', preconditions, ...grace }
    await this.ofOne({ method: 'DELETE', path: this.path(resource, name), body })
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

async function unlessGone<T extends KubeItem>(work: Promise<T>): Promise<T | undefined> {
  try {
    return asRead(await work)
  } catch (error) {
    if (isRefused(error, 404)) return undefined
    throw error
  }
}
