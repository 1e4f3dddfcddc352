/** Metadata of every Kubernetes object. */
export interface Metadata {
  name: string
  generateName?: string
  namespace: string
  uid: string
  resourceVersion: string
  generation?: number
  creationTimestamp: string
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  labels?: Record<string, string>
  annotations?: Record<string, string>
  finalizers?: string[]
  ownerReferences?: { apiVersion: string; kind: string; name: string; uid: string; controller?: boolean }[]
}

// biome-ignore lint/suspicious/noExplicitAny: objects are as free as their schemas, which are judged at the door
export type Fields = Record<string, any>

export interface KubeObject extends Fields {
  apiVersion: string
  kind: string
  metadata: Metadata
}

export interface Resource {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly kind: string
}

const resource = (group: string, version: string, plural: string, kind: string): Resource => ({
  group,
  version,
  plural,
  kind,
})

export const GAMESERVERS = resource('agones.dev', 'v1', 'gameservers', 'GameServer')
export const FLEETS = resource('agones.dev', 'v1', 'fleets', 'Fleet')
/** GameServerSet, the kind of object that a Fleet creates and that creates GameServers. */
export const SETS = resource('agones.dev', 'v1', 'gameserversets', 'GameServerSet')
export const PODS = resource('', 'v1', 'pods', 'Pod')
export const SECRETS = resource('', 'v1', 'secrets', 'Secret')
/** A kind that is not stored: its creation is a request for an allocation. */
export const ALLOCATIONS = resource('allocation.agones.dev', 'v1', 'gameserverallocations', 'GameServerAllocation')

export const RESOURCES: readonly Resource[] = [GAMESERVERS, FLEETS, SETS, PODS, SECRETS, ALLOCATIONS]

export const apiVersionOf = ({ group, version }: Resource): string => (group === '' ? version : `${group}/${version}`)

/** Copies a JSON value. It is faster than `structuredClone`, which copies other types of values too. */
export function copyOf<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyOf) as T
  const copy: Fields = {}
  for (const key in value) copy[key] = copyOf(value[key])
  return copy as T
}
