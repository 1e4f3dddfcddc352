import type { Connection, KubeCall } from './connection'
import { isRefused, refusalOf, Unreachable } from './errors'
import { type Listed, listWhole, METADATA_ONLY } from './listing'
import type { ResourcePath } from './resources'
import { asRead, type KubeItem } from './shapes'

/** Clock and pauses of the client. A pause does not keep the process alive. Tests replace them. */
export interface Pauses {
  pause(ms: number, signal?: AbortSignal): Promise<void>
  now(): number
}

/** Number of tries of a call that the API throttles (status 429). */
const THROTTLED_TRIES = 4
/**
 * Maximum milliseconds that a throttled call waits before its next try. When the API asks for a longer wait, the call
 * rejects.
 */
const MAX_WAIT_MS = 5_000

/** Calls to the API of one cluster, about the objects of one namespace. */
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

  /** Returns the object with a name; undefined when there is no such object. */
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

  /**
   * Returns the patched object; undefined when the object no longer exists. When the body contains a `resourceVersion`
   * that is not the current version, the cluster refuses the patch with 409.
   */
  patch<T extends KubeItem>(resource: ResourcePath, name: string, body: object): Promise<T | undefined> {
    const type = 'application/merge-patch+json'
    return unlessGone(this.ofOne<T>({ method: 'PATCH', path: this.path(resource, name), body, type }))
  }

  /**
   * Deletes the object with this uid, but not another object with the same name. Resolves also when the object no
   * longer exists.
   */
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

  /**
   * Deletes an object only if it still has the version that the caller read. Returns false when the object has changed
   * since. Returns true also when the object no longer exists.
   */
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

  /** Returns all objects that match a selector, and the version at which they were read. */
  list<T extends KubeItem>(resource: ResourcePath, labelSelector: string): Promise<Listed<T>> {
    return listWhole(this, resource, labelSelector)
  }

  /** Returns the same objects as `list`, but of each object only its metadata. */
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

  /** Returns a stream of text, which stays open until the text ends. */
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

  /**
   * Returns the object in the answer to a call. Rejects with `Unreachable` for a 404 answer that does not come from
   * the API itself: a proxy in front of the API may answer 404 for other reasons.
   */
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

  /**
   * Sends a call. After a throttled call, waits as long as the answer asks, and tries again. The method repeats no
   * other failed call, because only the caller knows the effects that the call may have had.
   */
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
