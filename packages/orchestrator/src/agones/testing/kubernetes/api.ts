import { type Access, forbidden, isAllowed, type PolicyRule } from './access'
import { qualified } from './naming'
import { ALLOCATIONS, copyOf, type Fields, type KubeObject, PODS, RESOURCES, type Resource, SECRETS } from './objects'
import { pageOf } from './pages'
import { admitSecret } from './secrets'
import { ApiStatus } from './status'
import type { DeleteOptions, ObjectStore } from './store'

/** Looks at an object that is about to be written, fills in what is left out, and refuses it where it is wrong. */
export type Admission = (resource: Resource, object: Fields, before: Fields | undefined) => void

export interface CallOptions {
  readonly dryRun?: boolean
}

/** The user that calls come from. */
const USER = 'system:serviceaccount:games:matchyard'
const DEFAULT_POD_GRACE_SECONDS = 30

/** The interface without its transport: what each verb does, and what it refuses. */
export class KubeApi {
  /** null: everything is allowed. */
  rules: readonly PolicyRule[] | null = null
  /** What was asked for and no rule allows. */
  readonly denied: Access[] = []
  /** Objects of a kind at most, by `count/<resource>.<group>`, as a ResourceQuota says it. */
  readonly quotas = new Map<string, number>()
  readonly admissions: Admission[] = []
  /** Of a list that is asked for in pages, so many at the most in one: a test has pages without hundreds of objects. */
  mostInAPage = Number.POSITIVE_INFINITY
  /** What answers a GameServerAllocation. */
  allocate: (request: Fields, namespace: string) => Fields = () => ({})
  podLog: (pod: KubeObject, query: URLSearchParams) => string = () => ''
  /** Calls back with it once there is no more of it; answers how to be forgotten. */
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
    // The garbage collector takes what names an owner that is not there.
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

  /** A JSON merge patch (RFC 7386): null takes away, lists are replaced as a whole. A version in it is expected. */
  patch(resource: Resource, namespace: string, name: string, patch: Fields, { dryRun = false }: CallOptions = {}) {
    const expected = patch.metadata?.resourceVersion as string | undefined
    return this.change(resource, namespace, name, (object) => merged(object, patch) as Fields, expected, dryRun)
  }

  delete(resource: Resource, namespace: string, name: string, options: DeleteOptions): KubeObject {
    if (resource !== PODS) return this.store.delete(resource, namespace, name, { ...options, gracePeriodSeconds: 0 })
    const pod = this.store.get(resource, namespace, name)
    const usual = Number(pod.spec?.terminationGracePeriodSeconds ?? DEFAULT_POD_GRACE_SECONDS)
    // One that was never given to a node, or has ended, has nobody to wait for.
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
