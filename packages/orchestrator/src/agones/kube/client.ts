import type { Connection, KubeCall } from './connection'
import { isRefused, refusalOf, Unreachable } from './errors'
import { asRead, type KubeItem, type KubeList } from './shapes'

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

interface Listed<T extends KubeItem> {
  readonly items: T[]
  readonly version: string
}

/** How objects are asked for; left out, whole. */
interface ListedAs {
  readonly accept?: string
}

/** Objects of one answer. */
const PAGE = 500
/** `connectionOf` reads no larger answer. */
const MAX_ANSWER_BYTES = 64 * 1024 ** 2
/** Of one object together (Kubernetes, `ObjectMeta.annotations`). One of a pod is its configuration, in which players have a say. */
const MAX_ANNOTATIONS_BYTES = 256 * 1024
/** What one byte of them may become on its way: `<` is written as `\u003c`. */
const ESCAPED = 6
/** All else of a pod: what it is made of, how it is, and who manages which of its fields. */
const REST_BYTES = 256 * 1024
/** As many as fit an answer when each is as large as it can be, 36: one page that is too large, and nothing would ever be listed again. */
const PODS_PAGE = Math.floor(MAX_ANSWER_BYTES / (ESCAPED * MAX_ANNOTATIONS_BYTES + REST_BYTES))
/** By what lists are asked for without what their objects hold; whole, where the interface cannot do that. */
const METADATA_ONLY = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'
/** A list that grows too old while it is read is begun again so often. */
const LIST_TRIES = 3
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

  /** All that a selector takes, page by page, and the version that this was read at. */
  async list<T extends KubeItem>(resource: ResourcePath, labelSelector: string, as: ListedAs = {}): Promise<Listed<T>> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.inPages<T>(resource, labelSelector, as)
      } catch (error) {
        // The version that its pages are of was forgotten between two of them: what was read so far is of no use.
        if (!isRefused(error, 410)) throw error
        if (tries === LIST_TRIES) throw new Unreachable(`${this.server} forgets what it lists before it was read`)
      }
    }
  }

  /** The same, of each object only its metadata. */
  listMetadata(resource: ResourcePath, labelSelector: string): Promise<Listed<KubeItem>> {
    return this.list(resource, labelSelector, { accept: METADATA_ONLY })
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

  private async inPages<T extends KubeItem>(
    resource: ResourcePath,
    labelSelector: string,
    as: ListedAs,
  ): Promise<Listed<T>> {
    const limit = String(resource === PODS ? PODS_PAGE : PAGE)
    const items: T[] = []
    let next: string | undefined
    for (;;) {
      const more = next === undefined ? {} : { continue: next }
      const page = await this.page<T>(resource, { labelSelector, limit, ...more }, as)
      items.push(...page.items)
      next = page.metadata.continue
      if (next === undefined || next === '') return { items, version: page.metadata.resourceVersion }
    }
  }

  private async page<T extends KubeItem>(
    resource: ResourcePath,
    query: Readonly<Record<string, string>>,
    as: ListedAs,
  ): Promise<Pick<KubeList<T>, 'metadata'> & { readonly items: readonly T[] }> {
    const path = this.path(resource, undefined, query)
    const { metadata, items } = await this.ask<KubeList<T>>({ ...as, method: 'GET', path })
    // Page by page: what nobody reads is not kept until the last one.
    return { metadata, items: (items ?? []).map((one) => asRead(one)) }
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
