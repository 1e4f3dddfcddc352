import type { KubeApi } from '../kubernetes/api'
import { apiVersionOf, copyOf, type Fields, GAMESERVERS, type KubeObject, PODS } from '../kubernetes/objects'
import { ApiStatus } from '../kubernetes/status'
import { timeOf } from '../kubernetes/times'
import { AGONES_FINALIZER } from './admission'

/** Annotation with the time at which a GameServer entered Error. */
export const ERRORED_AT = 'agones.dev/errored-at'
/** Annotation of the GameServer and of its Pod: the id of the container that ran when the GameServer became Ready. */
const READY_CONTAINER = 'agones.dev/ready-container-id'

export interface StepSurroundings {
  readonly now: () => number
  /** Returns the address at which players reach a node, by the node's name. */
  readonly addressOf: (node: string) => string
  /** Returns a free port from the range of ports that Agones may assign. `taken` are the ports in use. */
  readonly freePort: (taken: ReadonlySet<number>, protocol: string) => number
}

/** The steps of a GameServer from one state to the next; each step writes the GameServer once. */
export class ServerSteps {
  /** Ports assigned to GameServers, by the UID of the GameServer. */
  private readonly taken = new Map<string, number[]>()

  constructor(
    private readonly api: KubeApi,
    private readonly around: StepSurroundings,
  ) {}

  givePorts(server: KubeObject): void {
    const all = new Set([...this.taken.values()].flat())
    const own: number[] = []
    this.write(server, (object) => {
      const more: Fields[] = []
      for (const port of object.spec.ports) {
        if (port.portPolicy !== 'Dynamic') continue
        port.hostPort = this.around.freePort(all, port.protocol)
        all.add(port.hostPort)
        own.push(port.hostPort)
        if (port.protocol !== 'TCPUDP') continue
        // Agones divides such a port into two ports with the same number.
        more.push({ ...port, name: `${port.name}-udp`, protocol: 'UDP' })
        Object.assign(port, { name: `${port.name}-tcp`, protocol: 'TCP' })
      }
      object.spec.ports.push(...more)
      object.status.state = 'Creating'
    })
    this.taken.set(server.metadata.uid, own)
  }

  createPod(server: KubeObject) {
    try {
      this.api.create(PODS, server.metadata.namespace, podOf(server))
    } catch (error) {
      if (!(error instanceof ApiStatus)) throw error
      // AlreadyExists is not a failure: the pod belongs to an earlier server, or this controller created the pod and
      // the answer was lost.
      if (error.reason === 'Forbidden' || error.reason === 'Invalid') return this.giveUp(server)
      if (error.reason !== 'AlreadyExists') throw error
    }
    this.move(server, 'Starting')
  }

  schedule(server: KubeObject, pod: KubeObject | undefined): void {
    const node = pod?.spec.nodeName
    if (node === undefined || pod?.status?.podIP === undefined) return
    this.write(server, (object) => this.place(object, node, 'Scheduled'))
  }

  private place(object: KubeObject, node: string, state: string): void {
    const address = this.around.addressOf(node)
    const ports = object.spec.ports.map(({ name, hostPort }: Fields) => ({ name, port: hostPort }))
    object.status = { ...object.status, state, nodeName: node, address, ports }
  }

  /**
   * Moves a GameServer from RequestReady to Ready when its container runs. The game server's SDK, or a patch, has
   * requested this.
   */
  makeReady(server: KubeObject, pod: KubeObject | undefined): void {
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

  move(server: KubeObject, state: string): void {
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

  freePorts(uid: string): void {
    this.taken.delete(uid)
  }

  /** Removes Agones' finalizer from a GameServer whose pod no longer exists. */
  letGo(server: KubeObject): void {
    const { finalizers = [] } = server.metadata
    this.write(server, (object) => {
      object.metadata.finalizers = finalizers.filter((one) => one !== AGONES_FINALIZER)
    })
  }
}

/** Returns the pod of a GameServer: created from its template, with its name and ports, and owned by the GameServer. */
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
