import type { KubeApi } from '../kubernetes/api'
import { apiVersionOf, copyOf, type Fields, GAMESERVERS, type KubeObject, PODS } from '../kubernetes/objects'
import { ApiStatus } from '../kubernetes/status'
import { type StoredEvent, timeOf } from '../kubernetes/store'
import { AGONES_FINALIZER } from './admission'

/** When it came to be in Error. */
export const ERRORED_AT = 'agones.dev/errored-at'
/** Which container was there when it became Ready; on the GameServer and on its Pod. */
const READY_CONTAINER = 'agones.dev/ready-container-id'

export interface ControllerSurroundings {
  readonly now: () => number
  /** Where players come in, by the name of a node. */
  readonly addressOf: (node: string) => string
  /** A port that nobody has, of the range that Agones may give away. */
  readonly freePort: (taken: ReadonlySet<number>, protocol: string) => number
  /** Runs work soon, never within the change that it follows from. */
  readonly soon: (work: () => void) => void
}

const BEYOND_HELP = ['Unhealthy', 'Error', 'Shutdown']

/** Takes GameServers from state to state, as Agones' controller does: each step one write, each repeated until it is done. */
export class AgonesController {
  private readonly taken = new Map<string, number[]>()
  private readonly queued = new Set<string>()
  /** A controller that is away takes no step. */
  private paused = false
  private readonly backs: (() => void)[] = []

  constructor(
    private readonly api: KubeApi,
    private readonly around: ControllerSurroundings,
  ) {
    api.store.subscribe((event) => this.hear(event))
  }

  pause(): void {
    this.paused = true
  }

  get isAway(): boolean {
    return this.paused
  }

  /** Calls back each time that it is back. */
  whenBack(work: () => void): void {
    this.backs.push(work)
  }

  resume(): void {
    this.paused = false
    for (const work of this.backs) work()
    for (const { metadata } of this.api.store.list(GAMESERVERS)) this.enqueue(metadata.namespace, metadata.name)
  }

  private hear({ resource, object, type }: StoredEvent): void {
    const { namespace, name, uid } = object.metadata
    if (resource === GAMESERVERS && type === 'DELETED') this.taken.delete(uid)
    // A pod has its GameServer's name.
    if (resource === GAMESERVERS || resource === PODS) this.enqueue(namespace, name)
  }

  private enqueue(namespace: string, name: string): void {
    const key = `${namespace}/${name}`
    if (this.queued.has(key) || this.paused) return
    this.queued.add(key)
    this.around.soon(() => {
      this.queued.delete(key)
      if (!this.paused) this.sync(namespace, name)
    })
  }

  private sync(namespace: string, name: string) {
    const server = this.api.store.find(GAMESERVERS, namespace, name)
    if (server === undefined) return
    const found = this.api.store.find(PODS, namespace, name)
    const pod = found?.metadata.ownerReferences?.some(({ uid }) => uid === server.metadata.uid) ? found : undefined
    if (server.metadata.deletionTimestamp !== undefined) return this.end(server, pod)
    if (this.judgePod(server, pod)) return
    switch (server.status.state) {
      case 'PortAllocation':
        return this.givePorts(server)
      case 'Creating':
        return this.createPod(server)
      case 'Starting':
        return this.schedule(server, pod)
      case 'RequestReady':
        return this.makeReady(server, pod)
      case 'Shutdown':
        this.api.delete(GAMESERVERS, namespace, name, {})
    }
  }

  /** A pod that succeeded shuts its server down; one that failed or went away makes it unhealthy. */
  private judgePod(server: KubeObject, pod: KubeObject | undefined): boolean {
    if (BEYOND_HELP.includes(server.status.state)) return false
    const isExpected = !['PortAllocation', 'Creating'].includes(server.status.state)
    if (pod === undefined) {
      if (isExpected) this.move(server, 'Unhealthy')
      return isExpected
    }
    if (pod.metadata.deletionTimestamp !== undefined) return false
    if (pod.status?.phase === 'Succeeded') this.move(server, 'Shutdown')
    else if (pod.status?.phase === 'Failed') this.move(server, 'Unhealthy')
    else return false
    return true
  }

  private end(server: KubeObject, pod: KubeObject | undefined): void {
    const { namespace, name, finalizers = [] } = server.metadata
    if (pod !== undefined) {
      if (pod.metadata.deletionTimestamp === undefined) this.api.delete(PODS, namespace, name, {})
      return // and no finalizer is removed until it is gone
    }
    if (!finalizers.includes(AGONES_FINALIZER)) return
    this.write(server, (object) => {
      object.metadata.finalizers = finalizers.filter((one) => one !== AGONES_FINALIZER)
    })
  }

  private givePorts(server: KubeObject): void {
    const all = new Set([...this.taken.values()].flat())
    const own: number[] = []
    this.write(server, (object) => {
      for (const port of object.spec.ports) {
        if (port.portPolicy !== 'Dynamic') continue
        port.hostPort = this.around.freePort(all, port.protocol)
        all.add(port.hostPort)
        own.push(port.hostPort)
      }
      object.status.state = 'Creating'
    })
    this.taken.set(server.metadata.uid, own)
  }

  private createPod(server: KubeObject) {
    try {
      this.api.create(PODS, server.metadata.namespace, podOf(server))
    } catch (error) {
      if (!(error instanceof ApiStatus)) throw error
      // One of a server before it, or one that this controller made and forgot about.
      if (error.reason === 'Forbidden' || error.reason === 'Invalid') return this.giveUp(server)
      if (error.reason !== 'AlreadyExists') throw error
    }
    this.move(server, 'Starting')
  }

  private schedule(server: KubeObject, pod: KubeObject | undefined): void {
    const node = pod?.spec.nodeName
    if (node === undefined || pod?.status?.podIP === undefined) return
    this.write(server, (object) => this.place(object, node, 'Scheduled'))
  }

  private place(object: KubeObject, node: string, state: string): void {
    const address = this.around.addressOf(node)
    const ports = object.spec.ports.map(({ name, hostPort }: Fields) => ({ name, port: hostPort }))
    object.status = { ...object.status, state, nodeName: node, address, ports }
  }

  /** Whoever asked for it, its SDK or somebody by a patch: once its container runs. */
  private makeReady(server: KubeObject, pod: KubeObject | undefined): void {
    const container = pod?.status?.containerStatuses?.find(({ name }: Fields) => name === server.spec.container)
    if (pod === undefined || container?.state.running === undefined) return
    const { containerID } = container
    const { namespace, name, annotations = {} } = pod.metadata
    if (annotations[READY_CONTAINER] === undefined)
      this.api.patch(PODS, namespace, name, { metadata: { annotations: { [READY_CONTAINER]: containerID } } })
    this.write(server, (object) => {
      object.metadata.annotations = { ...object.metadata.annotations, [READY_CONTAINER]: containerID }
      this.place(object, pod.spec.nodeName, 'Ready')
    })
  }

  private giveUp(server: KubeObject): void {
    this.write(server, (object) => {
      object.metadata.annotations = { ...object.metadata.annotations, [ERRORED_AT]: timeOf(this.around.now()) }
      object.status.state = 'Error'
    })
  }

  private move(server: KubeObject, state: string): void {
    this.write(server, (object) => {
      object.status.state = state
    })
  }

  private write(
    { metadata: { namespace, name, resourceVersion } }: KubeObject,
    change: (object: KubeObject) => void,
  ): void {
    this.api.store.update(
      GAMESERVERS,
      namespace,
      name,
      (object) => {
        change(object)
        return object
      },
      resourceVersion,
    )
  }
}

/** The pod of a GameServer: its template, its name, its ports, and owned by it. */
function podOf(server: KubeObject): Fields {
  const { metadata = {}, spec } = copyOf(server.spec.template) as Fields
  const { name, uid } = server.metadata
  const ports = server.spec.ports.map(({ containerPort, hostPort, protocol }: Fields) => ({
    containerPort,
    hostPort,
    protocol,
  }))
  return {
    metadata: {
      ...metadata,
      name,
      labels: { ...metadata.labels, 'agones.dev/role': 'gameserver', 'agones.dev/gameserver': name },
      annotations: { ...metadata.annotations, 'agones.dev/container': server.spec.container },
      ownerReferences: [{ apiVersion: apiVersionOf(GAMESERVERS), kind: 'GameServer', name, uid, controller: true }],
    },
    spec: {
      restartPolicy: 'Never',
      ...spec,
      containers: spec.containers.map((one: Fields) => (one.name === server.spec.container ? { ...one, ports } : one)),
    },
    status: { phase: 'Pending' },
  }
}
