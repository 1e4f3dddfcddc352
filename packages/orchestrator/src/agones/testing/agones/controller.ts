import type { KubeApi } from '../kubernetes/api'
import type { StoredEvent } from '../kubernetes/change-log'
import { GAMESERVERS, type KubeObject, PODS } from '../kubernetes/objects'
import { AGONES_FINALIZER } from './admission'
import { ServerSteps, type StepSurroundings } from './server-steps'

const BEYOND_HELP = ['Unhealthy', 'Error', 'Shutdown']

export interface ControllerSurroundings extends StepSurroundings {
  /** Runs work soon after the current change, but never during it. */
  readonly soon: (work: () => void) => void
}

/**
 * Moves GameServers from state to state, as Agones' controller does. Each step is one write, repeated until it is done.
 */
export class AgonesController {
  private readonly steps: ServerSteps
  private readonly queued = new Set<string>()
  /** Whether the controller is down; then it takes no steps. */
  private paused = false
  private readonly backs: (() => void)[] = []

  constructor(
    private readonly api: KubeApi,
    private readonly around: ControllerSurroundings,
  ) {
    this.steps = new ServerSteps(api, around)
    api.store.subscribe((event) => this.hear(event))
  }

  pause(): void {
    this.paused = true
  }

  get isAway(): boolean {
    return this.paused
  }

  /** Registers work that runs each time the controller resumes after a pause. */
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
    if (resource === GAMESERVERS && type === 'DELETED') this.steps.freePorts(uid)
    // A pod and its GameServer have the same name.
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
        return this.steps.givePorts(server)
      case 'Creating':
        return this.steps.createPod(server)
      case 'Starting':
        return this.steps.schedule(server, pod)
      case 'RequestReady':
        return this.steps.makeReady(server, pod)
      case 'Shutdown':
        this.api.delete(GAMESERVERS, namespace, name, {})
    }
  }

  /**
   * Moves a server to Shutdown when its pod succeeded, and to Unhealthy when its pod failed or no longer exists.
   * Returns whether no other step is needed for the server.
   */
  private judgePod(server: KubeObject, pod: KubeObject | undefined): boolean {
    if (BEYOND_HELP.includes(server.status.state)) return false
    const isExpected = !['PortAllocation', 'Creating'].includes(server.status.state)
    if (pod === undefined) {
      if (isExpected) this.steps.move(server, 'Unhealthy')
      return isExpected
    }
    if (pod.metadata.deletionTimestamp !== undefined) return false
    if (pod.status?.phase === 'Succeeded') this.steps.move(server, 'Shutdown')
    else if (pod.status?.phase === 'Failed') this.steps.move(server, 'Unhealthy')
    else return false
    return true
  }

  private end(server: KubeObject, pod: KubeObject | undefined): void {
    const { namespace, name, finalizers = [] } = server.metadata
    if (pod !== undefined) {
      if (pod.metadata.deletionTimestamp === undefined) this.api.delete(PODS, namespace, name, {})
      return // the finalizer stays until the pod is gone
    }
    if (finalizers.includes(AGONES_FINALIZER)) this.steps.letGo(server)
  }
}
