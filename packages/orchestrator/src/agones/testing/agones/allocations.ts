import type { KubeApi } from '../kubernetes/api'
import type { AllocationFate } from '../kubernetes/faults'
import { type Fields, GAMESERVERS, type KubeObject } from '../kubernetes/objects'
import { timeOf } from '../kubernetes/times'

const LAST_ALLOCATED = 'agones.dev/last-allocated'

export interface AllocationSurroundings {
  readonly now: () => number
  readonly fate: () => AllocationFate
}

/**
 * Allocates the first GameServer that a selector matches. Returns the answer to the GameServerAllocation: `Allocated`
 * or `UnAllocated`; or `Contention` when a test set this fault. A dry run also allocates, as in Agones.
 */
export function allocate(api: KubeApi, request: Fields, namespace: string, around: AllocationSurroundings): Fields {
  const { selectors, preferred = [], required = {}, metadata = {} } = request.spec ?? {}
  const wanted: Fields[] = selectors?.length > 0 ? selectors : [...preferred, required]
  const answer = (status: Fields, name?: string) => ({
    apiVersion: 'allocation.agones.dev/v1',
    kind: 'GameServerAllocation',
    ...request,
    metadata: { ...request.metadata, ...(name === undefined ? {} : { name }), namespace },
    status,
  })
  const fate = around.fate()
  const find = () =>
    wanted.flatMap((selector) => api.store.list(GAMESERVERS, namespace).find((one) => isTaken(one, selector)) ?? [])[0]
  let found = find()
  if (found === undefined) return answer({ state: 'UnAllocated' })
  if (fate === 'contention') return answer({ state: 'Contention' })
  if (fate === 'twice') {
    take(api, found, metadata, around.now())
    found = find()
    if (found === undefined) return answer({ state: 'UnAllocated' })
  }
  const now = take(api, found, metadata, around.now())
  const { address, nodeName, ports } = now.status
  const { name, labels = {}, annotations = {} } = now.metadata
  const told = { gameServerName: name, address, nodeName, ports, source: 'local', metadata: { labels, annotations } }
  return answer({ state: 'Allocated', ...told }, name)
}

function take(api: KubeApi, { metadata }: KubeObject, { labels, annotations }: Fields, now: number): KubeObject {
  return api.store.update(
    GAMESERVERS,
    metadata.namespace,
    metadata.name,
    (object) => {
      object.metadata.labels = { ...object.metadata.labels, ...labels }
      object.metadata.annotations = { ...object.metadata.annotations, ...annotations, [LAST_ALLOCATED]: timeOf(now) }
      object.status.state = 'Allocated'
      return object
    },
    metadata.resourceVersion,
  )
}

const isTaken = (
  { metadata: { labels = {}, deletionTimestamp }, status }: KubeObject,
  { matchLabels = {}, matchExpressions = [], gameServerState = 'Ready' }: Fields,
): boolean =>
  status.state === gameServerState &&
  deletionTimestamp === undefined &&
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every((one: Fields) => isMet(one, labels))

/** Whether labels satisfy a requirement of a label selector (Kubernetes, `LabelSelectorRequirement`). */
function isMet({ key, operator, values = [] }: Fields, labels: Readonly<Record<string, string>>): boolean {
  const value = labels[key]
  if (operator === 'Exists') return value !== undefined
  if (operator === 'DoesNotExist') return value === undefined
  if (operator === 'In') return value !== undefined && values.includes(value)
  return value === undefined || !values.includes(value)
}
