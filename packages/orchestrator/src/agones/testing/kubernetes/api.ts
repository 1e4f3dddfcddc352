import { type Access, forbidden, isAllowed, type PolicyRule } from './access'
import { qualified } from './naming'
import { ALLOCATIONS, copyOf, type Fields, type KubeObject, PODS, RESOURCES, type Resource, SECRETS } from './objects'
import { pageOf } from './pages'
import { admitSecret } from './secrets'
import { ApiStatus } from './status'
import type { DeleteOptions, ObjectStore } from './store'

/** Examines an object before a write: fills in defaults, and throws when the object is invalid. */
export type Admission = (resource: Resource, object: Fields, before: Fields | undefined) => void

export interface CallOptions {
  readonly dryRun?: boolean
}

/** User name of all callers. */
const USER = 'system:serviceaccount:games:matchyard'
const DEFAULT_POD_GRACE_SECONDS = 30

/** The Kubernetes API without HTTP: carries out each verb, and refuses invalid calls. */
export class KubeApi {
  /** Rules of the caller's role; null when every call is allowed. */
  rules: readonly PolicyRule[] | null = null
  /** Calls that no rule allowed. */
  readonly denied: Access[] = []
  /** Maximum number of objects of a kind, by `count/<resource>.<group>`, as in a ResourceQuota. */
  readonly quotas = new Map<string, number>()
  readonly admissions: Admission[] = []
  /**
   * Maximum number of objects in one page of a list. A test sets it so that a list has several pages without hundreds
   * of objects.
   */
  mostInAPage = Number.POSITIVE_INFINITY
  /** Returns the answer to a GameServerAllocation. */
  allocate: (request: Fields, namespace: string) => Fields = () => ({})
  podLog: (pod: KubeObject, query: URLSearchParams) => string = () => ''
  /** Calls `over` with the log when the container has ended. Returns a function that removes this callback. */
  followLog: (pod: KubeObject, query: URLSearchParams, over: (text: string) => void) => () => void = () => () => {}

  constructor(readonly store: ObjectStore) {
    store.onGarbage = ({ kind }, namespace, name) => {
      const resource = RESOURCES.find((one) => one.kind === kind)
      if (resource !== undefined) this.delete(resource, namespace, name, {})
    }
  }

  authorize(access: Access): void {
    if (this.rules === null || isAllowed(this.rules, access)) return
    this.denied.push(access)
    throw forbidden(USER, access)
  }

  list(resource: Resource, namespace: string, query: URLSearchParams): object {
    return pageOf(this.store, resource, namespace, { query, most: this.mostInAPage })
  }

  create(resource: Resource, namespace: string, given: Fields, { dryRun = false }: CallOptions = {}): Fields {
    if (given.kind !== undefined && given.kind !== resource.kind) {
      throw new ApiStatus('BadRequest', `no kind "${String(given.kind)}" is registered for ${qualified(resource)}`)
    }
    const object = copyOf(given)
    object.metadata = { ...object.metadata }
    for (const admit of this.admissions) admit(resource, object, undefined)
    if (resource === ALLOCATIONS) return this.allocate(object, namespace)
    if (resource === SECRETS) admitSecret(object, undefined)
    this.withinQuota(resource, namespace, String(object.metadata.name ?? ''))
    const made = this.store.create(resource, namespace, object, dryRun)
    const owners = made.metadata.ownerReferences ?? []
    const isOrphan = owners.length > 0 && !owners.some(({ uid }) => this.store.hasUid(uid))
    // The garbage collector deletes an object whose owners do not exist.
    if (isOrphan && !dryRun) this.delete(resource, namespace, made.metadata.name, {})
    return made
  }

  replace(resource: Resource, namespace: string, name: string, given: Fields, { dryRun = false }: CallOptions = {}) {
    const expected = given.metadata?.resourceVersion as string | undefined
    return this.change(
      resource,
      namespace,
      name,
      () => ({ ...given, metadata: { ...given.metadata } }),
      expected,
      dryRun,
    )
  }

  /**
   * Applies a JSON merge patch (RFC 7386): null removes a field, and a list is replaced as a whole. A `resourceVersion`
   * in the patch must be the current one.
   */
  patch(resource: Resource, namespace: string, name: string, patch: Fields, { dryRun = false }: CallOptions = {}) {
    const expected = patch.metadata?.resourceVersion as string | undefined
    return this.change(resource, namespace, name, (object) => merged(object, patch) as Fields, expected, dryRun)
  }

  delete(resource: Resource, namespace: string, name: string, options: DeleteOptions): KubeObject {
    if (resource !== PODS) return this.store.delete(resource, namespace, name, { ...options, gracePeriodSeconds: 0 })
    const pod = this.store.get(resource, namespace, name)
    const usual = Number(pod.spec?.terminationGracePeriodSeconds ?? DEFAULT_POD_GRACE_SECONDS)
    // A pod that is not on a node, or has ended, has no running container to wait for.
    const isAlive = pod.spec?.nodeName !== undefined && !['Failed', 'Succeeded'].includes(pod.status?.phase)
    const gracePeriodSeconds = isAlive ? (options.gracePeriodSeconds ?? usual) : 0
    return this.store.delete(resource, namespace, name, { ...options, gracePeriodSeconds }, true)
  }

  review(given: Fields): Fields {
    const { verb = '', group = '', resource = '', subresource, namespace } = given.spec?.resourceAttributes ?? {}
    const allowed = this.rules === null || isAllowed(this.rules, { verb, group, resource, subresource, namespace })
    return { ...given, status: { allowed } }
  }

  private change(
    resource: Resource,
    namespace: string,
    name: string,
    change: (object: KubeObject) => Fields,
    expected: string | undefined,
    dryRun: boolean,
  ): KubeObject {
    return this.store.update(
      resource,
      namespace,
      name,
      (before) => {
        const after = change(copyOf(before))
        for (const admit of this.admissions) admit(resource, after, before)
        if (resource === SECRETS) admitSecret(after, before)
        return after
      },
      expected,
      dryRun,
    )
  }

  private withinQuota(resource: Resource, namespace: string, name: string): void {
    const counted = `count/${qualified(resource)}`
    const hard = this.quotas.get(counted)
    if (hard === undefined) return
    const used = this.store.list(resource, namespace).length
    if (used < hard) return
    const words = `exceeded quota: games, requested: ${counted}=1, used: ${counted}=${used}, limited: ${counted}=${hard}`
    throw new ApiStatus('Forbidden', `${qualified(resource)} "${name}" is forbidden: ${words}`, { name })
  }
}

export function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const result: Fields = typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else result[key] = merged(result[key], value)
  }
  return result
}
