import { isDeepStrictEqual } from 'node:util'
import type { KubeApi } from '../kubernetes/api'
import {
  apiVersionOf,
  copyOf,
  type Fields,
  FLEETS,
  GAMESERVERS,
  type KubeObject,
  type Resource,
  SETS,
} from '../kubernetes/objects'
import { ApiStatus } from '../kubernetes/status'
import type { AgonesController } from './controller'
import { ERRORED_AT } from './server-steps'

export const FLEET_LABEL = 'agones.dev/fleet'
export const SET_LABEL = 'agones.dev/gameserverset'

/**
 * Milliseconds for which a GameServer stays in the state Error, so that a fleet does not create and delete GameServers
 * without pause.
 */
const ERROR_STAYS_MS = 30_000
/** Milliseconds until a refused creation is tried again. */
const AGAIN_MS = 2_000
const BEFORE_READY = ['PortAllocation', 'Creating', 'Starting', 'Scheduled', 'RequestReady', 'Error']

export interface FleetSurroundings {
  readonly now: () => number
  readonly soon: (work: () => void) => void
  readonly after: (ms: number, work: () => void) => void
  /**
   * The controller of GameServers. In Agones, one program contains the controllers of GameServers and of Fleets, so
   * they are down at the same time.
   */
  readonly controller: Pick<AgonesController, 'isAway' | 'whenBack'>
}

/**
 * Keeps as many GameServers as the spec of a Fleet asks for, with one GameServerSet for each template that the Fleet
 * has had. This class removes the GameServers of earlier templates at once, whereas Agones removes them step by step.
 */
export class Fleets {
  private readonly queued = new Set<string>()

  constructor(
    private readonly api: KubeApi,
    private readonly around: FleetSurroundings,
  ) {
    api.store.subscribe(({ resource, object: { metadata } }) => {
      const { namespace, name, labels = {} } = metadata
      const fleet = resource === FLEETS ? name : labels[FLEET_LABEL]
      if (fleet !== undefined && (resource === FLEETS || resource === SETS))
        this.soon(`fleet ${namespace}/${fleet}`, () => this.syncFleet(namespace, fleet))
      const set = resource === SETS ? name : labels[SET_LABEL]
      if (set !== undefined && (resource === SETS || resource === GAMESERVERS))
        this.soon(`set ${namespace}/${set}`, () => this.syncSet(namespace, set))
    })
    around.controller.whenBack(() => {
      for (const { metadata } of api.store.list(FLEETS)) this.syncFleet(metadata.namespace, metadata.name)
      for (const { metadata } of api.store.list(SETS)) this.syncSet(metadata.namespace, metadata.name)
    })
  }

  private soon(key: string, work: () => void): void {
    if (this.queued.has(key)) return
    this.queued.add(key)
    this.around.soon(() => {
      this.queued.delete(key)
      if (!this.around.controller.isAway) work()
    })
  }

  private syncFleet(namespace: string, name: string): void {
    const fleet = this.alive(FLEETS, namespace, name)
    if (fleet === undefined) return
    const sets = this.owned(SETS, fleet)
    const active = sets.find(({ spec }) => isDeepStrictEqual(spec.template, fleet.spec.template))
    const rest = sets.filter((one) => one !== active)
    for (const one of rest) {
      if (one.spec.replicas > 0) this.scale(one, 0)
      else if (this.owned(GAMESERVERS, one).length === 0) this.api.delete(SETS, namespace, one.metadata.name, {})
    }
    const held = rest.reduce((sum, { status }) => sum + (status?.allocatedReplicas ?? 0), 0)
    const replicas = Math.max(0, Number(fleet.spec.replicas ?? 0) - held)
    if (active === undefined) this.api.create(SETS, namespace, setOf(fleet, replicas))
    else if (active.spec.replicas !== replicas) this.scale(active, replicas)
    const sum = (count: string) => sets.reduce((total, { status }) => total + (status?.[count] ?? 0), 0)
    this.tell(FLEETS, fleet, {
      replicas: sum('replicas'),
      readyReplicas: sum('readyReplicas'),
      allocatedReplicas: sum('allocatedReplicas'),
      reservedReplicas: sum('reservedReplicas'),
    })
  }

  private syncSet(namespace: string, name: string): void {
    const set = this.alive(SETS, namespace, name)
    if (set === undefined) return
    const all = this.owned(GAMESERVERS, set)
    const alive = all.filter((one) => !isBeingDeleted(one))
    const broken = alive.filter((one) => this.isBroken(one))
    const up = alive.filter((one) => !broken.includes(one))
    const free = up.filter(({ status }) => !['Allocated', 'Reserved'].includes(status.state)).sort(goesFirst)
    const wanted = Number(set.spec.replicas)
    for (let count = up.length; count < wanted && this.make(set); count++);
    // A GameServer is not deleted but set to Shutdown, and only if it still has the version that was read: a GameServer
    // that was allocated since then stays.
    for (const one of [...broken, ...free.slice(0, Math.max(0, up.length - wanted))]) this.shutDown(one)
    const count = (state: string) => alive.filter(({ status }) => status.state === state).length
    this.tell(SETS, set, {
      replicas: alive.length,
      readyReplicas: count('Ready'),
      allocatedReplicas: count('Allocated'),
      reservedReplicas: count('Reserved'),
      shutdownReplicas: all.length - alive.length,
    })
  }

  /** Creates a GameServer for a set. Returns false when the creation is refused, for example by a quota or a policy. */
  private make(set: KubeObject): boolean {
    const { namespace, name } = set.metadata
    try {
      this.api.create(GAMESERVERS, namespace, memberOf(set))
      return true
    } catch (error) {
      if (!(error instanceof ApiStatus)) throw error
      this.around.after(AGAIN_MS, () => this.soon(`set ${namespace}/${name}`, () => this.syncSet(namespace, name)))
      return false
    }
  }

  private isBroken({ metadata, status: { state } }: KubeObject): boolean {
    if (state !== 'Error') return state === 'Unhealthy'
    const left = Date.parse(metadata.annotations?.[ERRORED_AT] ?? '') + ERROR_STAYS_MS - this.around.now()
    if (!(left > 0)) return true
    const { namespace, labels = {} } = metadata
    const set = labels[SET_LABEL] ?? ''
    this.around.after(left, () => this.soon(`set ${namespace}/${set}`, () => this.syncSet(namespace, set)))
    return false
  }

  private alive(resource: Resource, namespace: string, name: string): KubeObject | undefined {
    const found = this.api.store.find(resource, namespace, name)
    return found?.metadata.deletionTimestamp === undefined ? found : undefined
  }

  private owned(resource: Resource, { metadata: { namespace, uid } }: KubeObject): KubeObject[] {
    return this.api.store
      .list(resource, namespace)
      .filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid))
  }

  private scale({ metadata: { namespace, name } }: KubeObject, replicas: number): void {
    this.api.store.update(SETS, namespace, name, (object) => ({ ...object, spec: { ...object.spec, replicas } }))
  }

  private shutDown({ metadata: { namespace, name, resourceVersion } }: KubeObject): void {
    const change = (object: KubeObject) => ({ ...object, status: { ...object.status, state: 'Shutdown' } })
    this.api.store.update(GAMESERVERS, namespace, name, change, resourceVersion)
  }

  private tell(resource: Resource, { metadata: { namespace, name }, ...object }: KubeObject, status: Fields): void {
    if (isDeepStrictEqual(object.status, status)) return
    this.api.store.update(resource, namespace, name, (now) => ({ ...now, status }))
  }
}

const isBeingDeleted = ({ metadata, status }: KubeObject): boolean =>
  metadata.deletionTimestamp !== undefined || status.state === 'Shutdown'

/** Orders GameServers for removal: GameServers that are not Ready yet come first, then the order of names decides. */
const goesFirst = (a: KubeObject, b: KubeObject): number => {
  const rank = ({ status }: KubeObject) => (BEFORE_READY.includes(status.state) ? 0 : 1)
  return rank(a) - rank(b) || (a.metadata.name < b.metadata.name ? -1 : 1)
}

const ownedBy = (resource: Resource, { metadata: { name, uid } }: KubeObject) => [
  { apiVersion: apiVersionOf(resource), kind: resource.kind, name, uid, controller: true },
]

function setOf(fleet: KubeObject, replicas: number): Fields {
  const { name } = fleet.metadata
  const { template, scheduling } = copyOf(fleet.spec)
  return {
    metadata: {
      ...template.metadata,
      generateName: `${name}-`,
      labels: { ...template.metadata?.labels, [FLEET_LABEL]: name },
      ownerReferences: ownedBy(FLEETS, fleet),
    },
    spec: { replicas, scheduling, template },
  }
}

function memberOf(set: KubeObject): Fields {
  const { name, labels = {} } = set.metadata
  const { metadata = {}, spec } = copyOf(set.spec.template)
  return {
    metadata: {
      ...metadata,
      generateName: `${name}-`,
      labels: { ...metadata.labels, [SET_LABEL]: name, [FLEET_LABEL]: labels[FLEET_LABEL] },
      ownerReferences: ownedBy(SETS, set),
    },
    spec: { ...spec, scheduling: set.spec.scheduling },
  }
}
