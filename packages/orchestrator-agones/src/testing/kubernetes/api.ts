import { type Access, forbidden, isAllowed, type PolicyRule } from './access'
import {
  ALLOCATIONS,
  apiVersionOf,
  copyOf,
  type Fields,
  type KubeObject,
  PODS,
  RESOURCES,
  type Resource,
  SECRETS,
} from './objects'
import { selectorOf } from './selectors'
import { ApiStatus } from './status'
import { type DeleteOptions, invalid, type ObjectStore, qualified } from './store'

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
  /** Objects of a kind at most, by `count/<resource>.<group>`, as a ResourceQuota says it. */
  readonly quotas = new Map<string, number>()
  readonly admissions: Admission[] = []
  /** What answers a GameServerAllocation. */
  allocate: (request: Fields, namespace: string) => Fields = () => ({})
  podLog: (pod: KubeObject, query: URLSearchParams) => string = () => ''

  constructor(readonly store: ObjectStore) {
    store.onGarbage = ({ kind }, namespace, name) => {
      const resource = RESOURCES.find((one) => one.kind === kind)
      if (resource !== undefined) this.delete(resource, namespace, name, {})
    }
  }

  authorize(access: Access): void {
    if (this.rules !== null && !isAllowed(this.rules, access)) throw forbidden(USER, access)
  }

  list(resource: Resource, namespace: string, query: URLSearchParams): object {
    const matches = selectorOf(query.get('labelSelector'))
    const items = this.store.list(resource, namespace).filter(({ metadata }) => matches(metadata.labels))
    const limit = Number(query.get('limit') ?? '0')
    const from = Number(query.get('continue') ?? '0')
    const page = limit > 0 ? items.slice(from, from + limit) : items
    const next = limit > 0 && from + limit < items.length ? { continue: String(from + limit) } : {}
    return {
      kind: `${resource.kind}List`,
      apiVersion: apiVersionOf(resource),
      metadata: { resourceVersion: this.store.resourceVersion, ...next },
      items: page.map(copyOf),
    }
  }

  create(resource: Resource, namespace: string, given: Fields, { dryRun = false }: CallOptions = {}): Fields {
    if (given.kind !== undefined && given.kind !== resource.kind) {
      throw new ApiStatus('BadRequest', `no kind "${String(given.kind)}" is registered for ${qualified(resource)}`)
    }
    const object = copyOf(given)
    object.metadata = { ...object.metadata }
    for (const admit of this.admissions) admit(resource, object, undefined)
    if (resource === ALLOCATIONS) return this.allocate(object, namespace)
    if (resource === SECRETS) encodeStringData(object)
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

function encodeStringData(object: Fields): void {
  const { stringData, ...rest } = object
  if (stringData === undefined) return
  const data: Record<string, string> = { ...rest.data }
  for (const [key, value] of Object.entries(stringData)) data[key] = Buffer.from(String(value)).toString('base64')
  delete object.stringData
  object.data = data
  const bytes = Object.values(data).reduce((sum, value) => sum + value.length * 0.75, 0)
  if (bytes > 1_048_576)
    throw invalid(SECRETS, object.metadata?.name ?? '', 'data: Too long: must have at most 1048576 bytes')
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
