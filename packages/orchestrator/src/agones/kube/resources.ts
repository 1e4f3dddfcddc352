export interface ResourcePath {
  readonly group: string
  readonly version: string
  readonly plural: string
}

export const GAMESERVERS: ResourcePath = { group: 'agones.dev', version: 'v1', plural: 'gameservers' }
export const PODS: ResourcePath = { group: '', version: 'v1', plural: 'pods' }
export const SECRETS: ResourcePath = { group: '', version: 'v1', plural: 'secrets' }
export const FLEETS: ResourcePath = { group: 'agones.dev', version: 'v1', plural: 'fleets' }
/** A resource that the cluster does not store: a `create` call on it requests an allocation. */
export const ALLOCATIONS: ResourcePath = {
  group: 'allocation.agones.dev',
  version: 'v1',
  plural: 'gameserverallocations',
}
