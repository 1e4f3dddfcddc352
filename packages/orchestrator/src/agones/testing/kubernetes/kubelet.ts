import type { KubeApi } from './api'
import type { StoredEvent } from './change-log'
import { ContainerLogs } from './container-logs'
import { type Fields, type KubeObject, PODS, SECRETS } from './objects'
import { statusOf, writePod } from './pod-status'
import { type Node, Scheduler } from './scheduler'
import { timeOf } from './times'
import { withSecretVariables } from './variables'
import { followingFiles, mountedFiles } from './volumes'

export interface ContainerExit {
  readonly exitCode: number
  /** `OOMKilled` when the container exceeded its memory; otherwise absent. */
  readonly reason?: string
}

/** The container runtime that the kubelets use. */
export interface Runtime {
  /** Returns the reason why an image is not available, or undefined. */
  imageFault(image: string): string | undefined
  /**
   * Starts the container of a pod. Returns the reason when the container cannot start; otherwise undefined. `files`:
   * content from secrets and pod fields, by mounted path.
   */
  start(pod: KubeObject, files: ReadonlyMap<string, string>, ended: (exit: ContainerExit) => void): string | undefined
  /** Replaces the content of files in mounted folders, all at once. */
  rewrite(pod: KubeObject, files: ReadonlyMap<string, string>): void
  /** Asks a container to end, and kills it after the grace period. */
  stop(uid: string, graceSeconds: number): void
  log(uid: string): readonly { readonly at: number; readonly text: string }[]
  /** Removes the data of a container whose pod was deleted. */
  forget(uid: string): void
}

/**
 * The kubelets of all nodes: they run the pods that are assigned to their node, and report the states of the
 * containers.
 */
export class Kubelet {
  private readonly started = new Set<string>()
  private readonly ended = new Set<string>()
  /**
   * By the pod's UID: the content of the files that the kubelet updates from the metadata of a running pod, as JSON.
   */
  private readonly written = new Map<string, string>()
  private readonly logs: ContainerLogs
  private readonly scheduler: Scheduler

  constructor(
    private readonly api: KubeApi,
    readonly nodes: readonly Node[],
    private readonly runtime: Runtime,
    private readonly around: { readonly now: () => number; readonly soon: (work: () => void) => void },
  ) {
    this.logs = new ContainerLogs(runtime)
    this.scheduler = new Scheduler(api, nodes, (uid) => this.ended.has(uid))
    api.store.subscribe((event) => this.hear(event))
    api.podLog = (pod, query) => this.logs.read(pod, query)
    api.followLog = (pod, query, over) => this.follow(pod, query, over)
  }

  /** Cordons a node and evicts its pods. */
  drain(name: string): void {
    const node = this.nodes.find((one) => one.name === name)
    if (node !== undefined) node.cordoned = true
    for (const { metadata, spec } of this.api.store.list(PODS)) {
      if (spec.nodeName === name) this.api.delete(PODS, metadata.namespace, metadata.name, {})
    }
  }

  /** Tries again to schedule and start the pods that have not started, because there may be more capacity now. */
  look(): void {
    for (const pod of this.api.store.list(PODS)) if (!this.started.has(pod.metadata.uid)) this.later(pod)
  }

  private hear({ resource, object, type }: StoredEvent): void {
    if (resource === PODS && type === 'DELETED') {
      this.runtime.stop(object.metadata.uid, 0)
      this.runtime.forget(object.metadata.uid)
      this.written.delete(object.metadata.uid)
    }
    const waiting =
      resource === PODS ? [] : this.api.store.list(PODS).filter(({ metadata }) => !this.started.has(metadata.uid))
    // Waiting pods may be able to start when a pod is deleted or a secret changes.
    if (resource === SECRETS || (resource === PODS && type === 'DELETED')) for (const pod of waiting) this.later(pod)
    if (resource === PODS && type !== 'DELETED') this.later(object)
    if (resource === PODS && type === 'DELETED') {
      for (const pod of this.api.store.list(PODS)) if (pod.spec.nodeName === undefined) this.later(pod)
    }
  }

  private later({ metadata: { namespace, name, uid } }: KubeObject): void {
    this.around.soon(() => {
      const pod = this.api.store.find(PODS, namespace, name)
      if (pod?.metadata.uid === uid) this.sync(pod)
    })
  }

  private sync(pod: KubeObject) {
    const { uid, deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata
    this.rewrite(pod)
    if (deletionTimestamp !== undefined) {
      if (this.started.has(uid) && !this.ended.has(uid)) return this.runtime.stop(uid, deletionGracePeriodSeconds)
      return this.api.store.finish(PODS, pod.metadata.namespace, pod.metadata.name)
    }
    if (pod.spec.nodeName === undefined) return this.scheduler.schedule(pod)
    if (!this.started.has(uid)) this.start(pod)
  }

  private start(pod: KubeObject) {
    const { uid } = pod.metadata
    const secretNamed = (name: string) => this.api.store.find(SECRETS, pod.metadata.namespace, name)
    const files = mountedFiles(pod, secretNamed)
    const whole = withSecretVariables(pod, secretNamed)
    // As with the event FailedMount, the missing secret may still be created. Until then the container stays in
    // ContainerCreating.
    if (files === undefined || whole === undefined) return
    const image = pod.spec.containers[0].image
    const fault = this.runtime.imageFault(image)
    if (fault !== undefined) {
      return this.tell(pod, { waiting: { reason: 'ErrImagePull', message: `failed to pull "${image}": ${fault}` } })
    }
    this.started.add(uid)
    this.written.set(uid, JSON.stringify([...followingFiles(pod)]))
    const why = this.runtime.start(whole, files, (exit) => this.exited(pod, exit))
    // The container ended during its start, so the running state is never reported.
    if (this.ended.has(uid)) return
    const startedAt = this.time()
    if (why === undefined) return this.tell(pod, { running: { startedAt } }, 'Running')
    this.ended.add(uid)
    const terminated = {
      exitCode: 128,
      reason: 'StartError',
      message: why,
      startedAt: timeOf(0),
      finishedAt: startedAt,
    }
    this.tell(pod, { terminated }, 'Failed')
  }

  /** Updates the files that contain metadata of a pod, in volumes that are mounted as a whole folder. */
  private rewrite(pod: KubeObject): void {
    const { uid } = pod.metadata
    if (!this.written.has(uid) || this.ended.has(uid)) return
    const files = followingFiles(pod)
    const words = JSON.stringify([...files])
    if (words === this.written.get(uid)) return
    this.written.set(uid, words)
    this.runtime.rewrite(pod, files)
  }

  private exited(pod: KubeObject, { exitCode, reason }: ContainerExit): void {
    const { uid } = pod.metadata
    this.logs.tellFollowers(uid)
    this.ended.add(uid)
    const { namespace, name } = pod.metadata
    if (this.api.store.find(PODS, namespace, name)?.metadata.deletionTimestamp !== undefined) this.logs.remove(uid)
    const said = exitCode === 0 ? undefined : this.logs.lastWords(pod)
    const terminated = {
      exitCode,
      reason: reason ?? (exitCode === 0 ? 'Completed' : 'Error'),
      finishedAt: this.time(),
      ...(said === undefined ? {} : { message: said }),
    }
    this.tell(pod, { terminated }, exitCode === 0 ? 'Succeeded' : 'Failed')
  }

  private tell(pod: KubeObject, state: Fields, phase?: string): void {
    writePod(this.api, pod, (object) => {
      object.status = {
        ...object.status,
        containerStatuses: [statusOf(object, state)],
        ...(phase === undefined ? {} : { phase }),
      }
    })
  }

  /** Calls `over` with the log when the container has ended. Returns a function that removes this callback. */
  private follow(pod: KubeObject, query: URLSearchParams, over: (text: string) => void): () => void {
    const { uid } = pod.metadata
    if (this.started.has(uid) && !this.ended.has(uid)) return this.logs.follow(pod, query, over)
    this.around.soon(() => over(this.logs.read(pod, query)))
    return () => {}
  }

  private time(): string {
    return timeOf(this.around.now())
  }
}
