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
 * The objects of one cluster and the log of their changes. One counter numbers all changes of all kinds. The version of
 * an object is the number of its last change; the version of a list is the number at the time of reading.
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

  /** Returns the objects of a kind at a version, by undoing the later changes. */
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

  /** Replaces an object by the result of `change`. Throws a conflict unless `expected` is the object's version. */
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

  /**
   * Deletes an object, or sets its deletion time. `mayLinger` says whether another component, such as a kubelet, must
   * end the object first.
   */
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

  /** Ends the grace period of an object that is being deleted. After that, only finalizers prevent its removal. */
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

  /** Returns all changes after a version. */
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

  /** Deletes objects whose last owner was removed, as background deletion does. */
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

  /** Deletes an object whose owner was removed; `KubeApi` replaces this function. */
  onGarbage: (object: KubeObject, namespace: string, name: string) => void = () => {}
}
