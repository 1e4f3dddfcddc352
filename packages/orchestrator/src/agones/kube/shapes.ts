import { ANNOTATION } from '../annotations'

/* Fields of Kubernetes objects that the service reads. Any field may be missing, because other programs wrote the
   objects. */

export interface KubeMeta {
  readonly name: string
  readonly namespace?: string
  readonly uid: string
  readonly resourceVersion: string
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
  readonly ownerReferences?: readonly { readonly kind?: string; readonly uid: string }[]
}

export interface KubeItem {
  readonly metadata: KubeMeta
}

export interface GameServerItem extends KubeItem {
  readonly status?: {
    readonly state?: string
    readonly address?: string
    readonly ports?: readonly { readonly name: string; readonly port: number }[]
  }
}

export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string }
  readonly running?: { readonly startedAt?: string }
  readonly terminated?: {
    readonly exitCode?: number
    readonly signal?: number
    readonly reason?: string
    readonly message?: string
    readonly startedAt?: string
    readonly finishedAt?: string
  }
}

export interface PodItem extends KubeItem {
  readonly spec?: { readonly nodeName?: string }
  readonly status?: {
    readonly phase?: string
    readonly reason?: string
    readonly conditions?: readonly {
      readonly type: string
      readonly status: string
      readonly reason?: string
      readonly message?: string
    }[]
    readonly containerStatuses?: readonly { readonly name: string; readonly state?: ContainerState }[]
  }
}

export interface SecretItem extends KubeItem {
  readonly data?: Readonly<Record<string, string>>
}

export interface FleetItem extends KubeItem {
  readonly spec?: { readonly replicas?: number }
}

export interface KubeList<T extends KubeItem> {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string }
  /**
   * The objects of the list. The cluster sends null for an empty list of metadata, and for empty lists of some kinds.
   */
  readonly items: readonly T[] | null
}

export interface KubeStatus {
  readonly kind: 'Status'
  readonly code?: number
  readonly reason?: string
  readonly message?: string
}

export interface WatchEvent<T extends KubeItem> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: T
}

/** An object of any kind. */
type AnyItem = KubeItem & Partial<GameServerItem & PodItem & SecretItem & FleetItem>
/** An entry for every field of a type, so that the compiler asks for an entry when a field is added. */
type Fields<T> = { readonly [Name in keyof Required<T>]: true }

const META: Fields<KubeMeta> = {
  name: true,
  namespace: true,
  uid: true,
  resourceVersion: true,
  creationTimestamp: true,
  deletionTimestamp: true,
  deletionGracePeriodSeconds: true,
  labels: true,
  annotations: true,
  finalizers: true,
  ownerReferences: true,
}
const SPEC: Fields<NonNullable<AnyItem['spec']>> = { nodeName: true, replicas: true }
const STATUS: Fields<NonNullable<AnyItem['status']>> = {
  state: true,
  address: true,
  ports: true,
  phase: true,
  reason: true,
  conditions: true,
  containerStatuses: true,
}
const OURS = Object.fromEntries(Object.values(ANNOTATION).map((name) => [name, true as const]))

/**
 * Returns an object with only the fields that the service reads. A process holds all objects in memory, and one object
 * may have a megabyte, for example in managed fields, in the pod's spec, or in annotations of other programs. The
 * content of the configuration's annotation is removed, because the service only checks whether the annotation exists.
 */
export function asRead<T extends KubeItem>(item: T): T {
  const { metadata, spec, status, data }: AnyItem = item
  const { annotations = {}, ownerReferences = [] } = metadata
  const isTold = annotations[ANNOTATION.configuration] !== undefined
  const read = {
    metadata: {
      ...picked(metadata, META),
      annotations: { ...picked(annotations, OURS), ...(isTold ? { [ANNOTATION.configuration]: '' } : {}) },
      ownerReferences: ownerReferences.map((owner) => picked(owner, { kind: true, uid: true })),
    },
    ...(spec === undefined ? {} : { spec: picked(spec, SPEC) }),
    ...(status === undefined ? {} : { status: statusOf(status) }),
    ...(data === undefined ? {} : { data }),
  }
  return read as unknown as T
}

function statusOf(status: NonNullable<AnyItem['status']>): object {
  const containers = status.containerStatuses?.map((one) => picked(one, { name: true, state: true }))
  return { ...picked(status, STATUS), ...(containers === undefined ? {} : { containerStatuses: containers }) }
}

const picked = (from: object, names: Readonly<Record<string, true>>): object =>
  Object.fromEntries(Object.entries(from).filter(([name]) => Object.hasOwn(names, name)))
