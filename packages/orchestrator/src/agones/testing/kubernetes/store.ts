import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { apiVersionOf, copyOf, type Fields, type KubeObject, type Metadata, type Resource } from './objects'
import { ApiStatus, conflict, expired, notFound } from './status'

export interface StoredEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly version: number
  readonly resource: Resource
  readonly object: KubeObject
  /** What it was; by it a selector knows what has left its set. */
  readonly before: KubeObject | undefined
}

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
}

const NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/
/** Names longer than this are refused. */
const NAME_LENGTH = 253

/**
 * The objects of one cluster and the log of their changes. One number counts all changes, of every kind: an object's version is when it
 * changed last, a list's is when it was read.
 */
export class ObjectStore {
  // Far from 1, so that nobody takes a version for a count.
  private version = 48_000
  private oldest = 48_000
  private log: StoredEvent[] = []
  private readonly kinds = new Map<string, Map<string, KubeObject>>()
  private readonly listeners = new Set<(event: StoredEvent) => void>()

  constructor(
    private readonly now: () => number,
    private readonly newId: () => string = randomUUID,
  ) {}

  get resourceVersion(): string {
    return String(this.version)
  }

  get(resource: Resource, namespace: string, name: string): KubeObject {
    const found = this.of(resource).get(`${namespace}/${name}`)
    if (found === undefined) throw notFound(qualified(resource), name)
    return found
  }

  find(resource: Resource, namespace: string, name: string): KubeObject | undefined {
    return this.of(resource).get(`${namespace}/${name}`)
  }

  list(resource: Resource, namespace?: string): KubeObject[] {
    const all = [...this.of(resource).values()]
    return namespace === undefined ? all : all.filter(({ metadata }) => metadata.namespace === namespace)
  }

  /** What there was of a kind at a version: what has changed since is taken back. */
  listAt(resource: Resource, namespace: string, version: number): KubeObject[] {
    if (version === this.version) return this.list(resource, namespace)
    const there = new Map(this.list(resource, namespace).map((one) => [one.metadata.name, one]))
    for (const { resource: of, object, before } of this.since(String(version)).reverse()) {
      if (of !== resource || object.metadata.namespace !== namespace) continue
      if (before === undefined) there.delete(object.metadata.name)
      else there.set(object.metadata.name, before)
    }
    return [...there.values()]
  }

  create(resource: Resource, namespace: string, given: Fields, dryRun = false): KubeObject {
    const object = copyOf(given) as KubeObject
    const named = this.named(resource, object.metadata)
    if (this.of(resource).has(`${namespace}/${named}`)) {
      throw new ApiStatus('AlreadyExists', `${qualified(resource)} "${named}" already exists`, { name: named })
    }
    object.apiVersion = apiVersionOf(resource)
    object.kind = resource.kind
    object.metadata = {
      ...object.metadata,
      name: named,
      namespace,
      uid: this.newId(),
      resourceVersion: '',
      generation: 1,
      creationTimestamp: timeOf(this.now()),
    }
    return dryRun ? object : this.keep('ADDED', resource, object, undefined)
  }

  /** Replaces an object by what `change` makes of it; `expected` is the version that the caller has seen. */
  update(
    resource: Resource,
    namespace: string,
    name: string,
    change: (object: KubeObject) => Fields,
    expected?: string,
    dryRun = false,
  ): KubeObject {
    const before = this.get(resource, namespace, name)
    if (expected !== undefined && expected !== '' && expected !== before.metadata.resourceVersion) {
      throw conflict(qualified(resource), name)
    }
    const after = copyOf(change(copyOf(before))) as KubeObject
    after.metadata = { ...after.metadata, ...unchangeable(before.metadata) }
    if (before.metadata.deletionTimestamp !== undefined) forbidNewFinalizers(before, after)
    if (isDeepStrictEqual(before, after)) return before
    if (!isDeepStrictEqual(before.spec, after.spec)) after.metadata.generation = (before.metadata.generation ?? 1) + 1
    if (dryRun) return after
    if (after.metadata.deletionTimestamp !== undefined && isFree(after)) return this.remove(resource, after, before)
    return this.keep('MODIFIED', resource, after, before)
  }

  /** `mayLinger`: something else (a kubelet) has to end it first. */
  delete(
    resource: Resource,
    namespace: string,
    name: string,
    { preconditions = {}, gracePeriodSeconds = 0 }: DeleteOptions = {},
    mayLinger = false,
  ): KubeObject {
    const before = this.get(resource, namespace, name)
    const { uid = before.metadata.uid, resourceVersion = before.metadata.resourceVersion } = preconditions
    if (uid !== before.metadata.uid || resourceVersion !== before.metadata.resourceVersion) {
      throw conflict(qualified(resource), name)
    }
    const isFirst = before.metadata.deletionTimestamp === undefined
    const lingers = mayLinger && gracePeriodSeconds > 0
    if (!lingers && hasNoFinalizers(before)) return this.remove(resource, before)
    const graceBefore = before.metadata.deletionGracePeriodSeconds ?? Number.POSITIVE_INFINITY
    // Asked again it may be shortened, never lengthened.
    if (!isFirst && gracePeriodSeconds >= graceBefore) return before
    const after = copyOf(before)
    // Asked for again, it moves by what the grace is shortened by.
    const asked = isFirst ? this.now() : Date.parse(before.metadata.deletionTimestamp ?? '') - graceBefore * 1_000
    after.metadata.deletionTimestamp = timeOf(asked + gracePeriodSeconds * 1_000)
    after.metadata.deletionGracePeriodSeconds = gracePeriodSeconds
    return this.keep('MODIFIED', resource, after, before)
  }

  /** What it lingered for is over: nothing but its finalizers keeps it now. */
  finish(resource: Resource, namespace: string, name: string): void {
    const object = this.find(resource, namespace, name)
    if (object?.metadata.deletionTimestamp === undefined) return
    if (hasNoFinalizers(object)) return void this.remove(resource, object)
    const after = copyOf(object)
    const { deletionTimestamp = '', deletionGracePeriodSeconds = 0 } = object.metadata
    after.metadata.deletionTimestamp = timeOf(Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1_000)
    after.metadata.deletionGracePeriodSeconds = 0
    if (!isDeepStrictEqual(object, after)) this.keep('MODIFIED', resource, after, object)
  }

  hasUid(uid: string): boolean {
    return [...this.kinds.values()].some((objects) =>
      [...objects.values()].some(({ metadata }) => metadata.uid === uid),
    )
  }

  /** All changes of a kind after a version. */
  since(version: string): StoredEvent[] {
    const from = Number(version)
    if (!Number.isSafeInteger(from)) throw new ApiStatus('BadRequest', `invalid resource version "${version}"`)
    if (from < this.oldest) throw expired(version, this.oldest)
    return this.log.filter((event) => event.version > from)
  }

  subscribe(listener: (event: StoredEvent) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Forgets all changes so far, as etcd does every five minutes: who asks for what came after an older version is told so. */
  compact(): void {
    this.log = []
    this.oldest = this.version
  }

  private of({ group, plural }: Resource): Map<string, KubeObject> {
    const key = `${group}/${plural}`
    const kept = this.kinds.get(key) ?? new Map<string, KubeObject>()
    this.kinds.set(key, kept)
    return kept
  }

  private named(resource: Resource, metadata: Partial<Metadata> | undefined): string {
    const name = metadata?.name ?? (metadata?.generateName && `${metadata.generateName}${this.newId().slice(-5)}`)
    if (name === undefined || name === '') {
      throw invalid(resource, '', 'metadata.name: Required value: name or generateName is required')
    }
    if (!NAME.test(name) || name.length > NAME_LENGTH) {
      throw invalid(
        resource,
        name,
        `metadata.name: Invalid value: "${name}": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.'`,
      )
    }
    return name
  }

  private keep(
    type: StoredEvent['type'],
    resource: Resource,
    object: KubeObject,
    before: KubeObject | undefined,
  ): KubeObject {
    object.metadata.resourceVersion = String(++this.version)
    const { namespace, name } = object.metadata
    if (type === 'DELETED') this.of(resource).delete(`${namespace}/${name}`)
    else this.of(resource).set(`${namespace}/${name}`, object)
    const event = { type, version: this.version, resource, object: copyOf(object), before }
    this.log.push(event)
    for (const listener of [...this.listeners]) listener(event)
    return object
  }

  private remove(resource: Resource, object: KubeObject, before = object): KubeObject {
    const gone = this.keep('DELETED', resource, copyOf(object), before)
    this.collectGarbage(gone.metadata.uid)
    return gone
  }

  /** Background deletion: what was owned by it alone goes after it. */
  private collectGarbage(uid: string): void {
    for (const [, objects] of this.kinds) {
      for (const object of [...objects.values()]) {
        const owners = object.metadata.ownerReferences ?? []
        if (!owners.some((owner) => owner.uid === uid) || owners.some((owner) => this.hasUid(owner.uid))) continue
        const { namespace, name } = object.metadata
        this.onGarbage(object, namespace, name)
      }
    }
  }

  /** How an owned object is deleted; the server puts its own way here. */
  onGarbage: (object: KubeObject, namespace: string, name: string) => void = () => {}
}

/** Times are told in whole seconds. */
export const timeOf = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')

const hasNoFinalizers = ({ metadata }: KubeObject): boolean => (metadata.finalizers ?? []).length === 0

/** Of what is being deleted: nothing keeps it. */
const isFree = (object: KubeObject): boolean =>
  hasNoFinalizers(object) && (object.metadata.deletionGracePeriodSeconds ?? 0) === 0

/** What a write does not change, whatever it says. */
const unchangeable = ({
  name,
  namespace,
  uid,
  creationTimestamp,
  generation,
  ...rest
}: Metadata): Partial<Metadata> => ({
  name,
  namespace,
  uid,
  creationTimestamp,
  resourceVersion: rest.resourceVersion,
  ...(generation === undefined ? {} : { generation }),
  ...(rest.deletionTimestamp === undefined
    ? {}
    : { deletionTimestamp: rest.deletionTimestamp, deletionGracePeriodSeconds: rest.deletionGracePeriodSeconds ?? 0 }),
})

function forbidNewFinalizers(before: KubeObject, after: KubeObject): void {
  const had = before.metadata.finalizers ?? []
  const added = (after.metadata.finalizers ?? []).find((one) => !had.includes(one))
  if (added === undefined) return
  const words = 'no new finalizers can be added if the object is being deleted'
  throw new ApiStatus('Invalid', `metadata.finalizers: Forbidden: ${words}, found new finalizers "${added}"`)
}

/** As messages name a kind: `gameservers.agones.dev`. */
export const qualified = ({ group, plural }: Resource): string => (group === '' ? plural : `${plural}.${group}`)

export const invalid = (resource: Resource, name: string, why: string): ApiStatus =>
  new ApiStatus(
    'Invalid',
    `${resource.kind}${resource.group === '' ? '' : `.${resource.group}`} "${name}" is invalid: ${why}`,
    {
      name,
      kind: resource.kind,
    },
  )
