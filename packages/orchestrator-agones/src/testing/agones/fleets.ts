import type { KubeApi } from '../kubernetes/api'
import { apiVersionOf, type Fields, FLEETS, GAMESERVERS, type KubeObject } from '../kubernetes/objects'

export const FLEET_LABEL = 'agones.dev/fleet'

/** Keeps as many GameServers of a Fleet as its spec says; those that are allocated are replaced, and never taken away. */
export class Fleets {
  private readonly queued = new Set<string>()

  constructor(
    private readonly api: KubeApi,
    private readonly soon: (work: () => void) => void,
  ) {
    api.store.subscribe(({ resource, object }) => {
      const fleet = resource === FLEETS ? object.metadata.name : object.metadata.labels?.[FLEET_LABEL]
      if (fleet !== undefined && (resource === FLEETS || resource === GAMESERVERS))
        this.enqueue(object.metadata.namespace, fleet)
    })
  }

  private enqueue(namespace: string, name: string): void {
    const key = `${namespace}/${name}`
    if (this.queued.has(key)) return
    this.queued.add(key)
    this.soon(() => {
      this.queued.delete(key)
      this.sync(namespace, name)
    })
  }

  private sync(namespace: string, name: string): void {
    const fleet = this.api.store.find(FLEETS, namespace, name)
    if (fleet === undefined || fleet.metadata.deletionTimestamp !== undefined) return
    const all = serversOf(this.api, namespace, name).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    const free = all.filter(({ status }) => status.state !== 'Allocated')
    const broken = free.filter(({ status }) => ['Unhealthy', 'Error'].includes(status.state))
    for (const { metadata } of broken) this.api.delete(GAMESERVERS, namespace, metadata.name, {})
    const wanted = Number(fleet.spec.replicas ?? 0) - (all.length - broken.length)
    for (let i = 0; i < wanted; i++) this.api.create(GAMESERVERS, namespace, memberOf(fleet))
    const surplus = free.filter((one) => !broken.includes(one)).slice(0, Math.max(0, -wanted))
    for (const { metadata } of surplus) this.api.delete(GAMESERVERS, namespace, metadata.name, {})
    const count = (state: string) => all.filter(({ status }) => status.state === state).length
    this.api.store.update(FLEETS, namespace, name, (object) => ({
      ...object,
      status: { replicas: all.length, readyReplicas: count('Ready'), allocatedReplicas: count('Allocated') },
    }))
  }
}

const serversOf = (api: KubeApi, namespace: string, fleet: string): KubeObject[] =>
  api.store.list(GAMESERVERS, namespace).filter(({ metadata }) => metadata.labels?.[FLEET_LABEL] === fleet)

function memberOf({ metadata: { name, uid }, spec }: KubeObject): Fields {
  const { metadata = {}, spec: server } = spec.template
  return {
    metadata: {
      ...metadata,
      generateName: `${name}-`,
      labels: { ...metadata.labels, [FLEET_LABEL]: name },
      ownerReferences: [{ apiVersion: apiVersionOf(FLEETS), kind: 'Fleet', name, uid, controller: true }],
    },
    spec: server,
  }
}

/** Answers a GameServerAllocation: the first Ready one that a selector takes, or UnAllocated. */
export function allocate(api: KubeApi, request: Fields, namespace: string): Fields {
  const answer = { apiVersion: 'allocation.agones.dev/v1', kind: 'GameServerAllocation', ...request }
  for (const selector of request.spec?.selectors ?? [{}]) {
    const found = api.store.list(GAMESERVERS, namespace).find((server) => isTaken(server, selector))
    if (found === undefined) continue
    const { labels, annotations } = request.spec?.metadata ?? {}
    const now = api.store.update(GAMESERVERS, namespace, found.metadata.name, (object) => {
      object.metadata.labels = { ...object.metadata.labels, ...labels }
      object.metadata.annotations = { ...object.metadata.annotations, ...annotations }
      object.status.state = 'Allocated'
      return object
    })
    const { address, nodeName, ports } = now.status
    return { ...answer, status: { state: 'Allocated', gameServerName: now.metadata.name, address, nodeName, ports } }
  }
  return { ...answer, status: { state: 'UnAllocated' } }
}

const isTaken = ({ metadata, status }: KubeObject, { matchLabels = {}, gameServerState = 'Ready' }: Fields): boolean =>
  status.state === gameServerState &&
  metadata.deletionTimestamp === undefined &&
  Object.entries(matchLabels).every(([key, value]) => metadata.labels?.[key] === value)
