import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { ChangeLog, type StoredEvent } from './change-log'
import { askedToGo, hasNoFinalizers, isFree, withoutGrace } from './deletion'
import { nameFor, qualified } from './naming'
import { newObject, replacement } from './object-writes'
import { copyOf, type Fields, type KubeObject, type Resource } from './objects'
import { ApiStatus, conflict, notFound } from './status'

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
}

/**
 * The objects of one cluster and the log of their changes. One number counts all changes, of every kind: an object's version is when it
 * changed last, a list's is when it was read.
 */
export class ObjectStore {
  private readonly log = new ChangeLog()
  private readonly kinds = new Map<string, Map<string, KubeObject>>()

  constructor(
    private readonly now: () => number,
    private readonly newId: () => string = randomUUID,
  ) {}

  get resourceVersion(): string {
    return String(this.log.version)
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
    if (version === this.log.version) return this.list(resource, namespace)
    const there = new Map(this.list(resource, namespace).map((one) => [one.metadata.name, one]))
    for (const { resource: of, object, before } of this.since(String(version)).reverse()) {
      if (of !== resource || object.metadata.namespace !== namespace) continue
      if (before === undefined) there.delete(object.metadata.name)
      else there.set(object.metadata.name, before)
    }
    return [...there.values()]
  }

  create(resource: Resource, namespace: string, given: Fields, dryRun = false): KubeObject {
    const named = nameFor(resource, given.metadata, this.newId)
    if (this.of(resource).has(`${namespace}/${named}`)) {
      throw new ApiStatus('AlreadyExists', `${qualified(resource)} "${named}" already exists`, { name: named })
    }
    const object = newObject(resource, given, { namespace, name: named, uid: this.newId(), now: this.now() })
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
    const after = replacement(before, change(copyOf(before)))
    if (isDeepStrictEqual(before, after)) return before
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
    const lingers = mayLinger && gracePeriodSeconds > 0
    if (!lingers && hasNoFinalizers(before)) return this.remove(resource, before)
    const after = askedToGo(before, gracePeriodSeconds, this.now())
    return after === undefined ? before : this.keep('MODIFIED', resource, after, before)
  }

  /** What it lingered for is over: nothing but its finalizers keeps it now. */
  finish(resource: Resource, namespace: string, name: string): void {
    const object = this.find(resource, namespace, name)
    if (object?.metadata.deletionTimestamp === undefined) return
    if (hasNoFinalizers(object)) return void this.remove(resource, object)
    const after = withoutGrace(object)
    if (!isDeepStrictEqual(object, after)) this.keep('MODIFIED', resource, after, object)
  }

  hasUid(uid: string): boolean {
    return [...this.kinds.values()].some((objects) =>
      [...objects.values()].some(({ metadata }) => metadata.uid === uid),
    )
  }

  /** All changes after a version. */
  since(version: string): StoredEvent[] {
    return this.log.since(version)
  }

  subscribe(listener: (event: StoredEvent) => void): () => void {
    return this.log.subscribe(listener)
  }

  compact(): void {
    this.log.compact()
  }

  private of({ group, plural }: Resource): Map<string, KubeObject> {
    const key = `${group}/${plural}`
    const kept = this.kinds.get(key) ?? new Map<string, KubeObject>()
    this.kinds.set(key, kept)
    return kept
  }

  private keep(
    type: StoredEvent['type'],
    resource: Resource,
    object: KubeObject,
    before: KubeObject | undefined,
  ): KubeObject {
    object.metadata.resourceVersion = this.log.nextVersion()
    const { namespace, name } = object.metadata
    if (type === 'DELETED') this.of(resource).delete(`${namespace}/${name}`)
    else this.of(resource).set(`${namespace}/${name}`, object)
    this.log.add({ type, version: this.log.version, resource, object: copyOf(object), before })
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
