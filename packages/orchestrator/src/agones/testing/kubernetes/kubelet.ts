import type { KubeApi } from './api'
import type { StoredEvent } from './change-log'
import { ContainerLogs } from './container-logs'
import { type Fields, type KubeObject, PODS, SECRETS } from './objects'
import { statusOf, writePod } from './pod-status'
import { type Node, Scheduler } from './scheduler'
import { timeOf } from './times'
import { followingFiles, mountedFiles } from './volumes'

export interface ContainerExit {
  readonly exitCode: number
  /** `OOMKilled` where it ran out of memory. */
  readonly reason?: string
}

/** What the kubelet starts containers with. */
export interface Runtime {
  /** Why an image cannot be had, or undefined. */
  imageFault(image: string): string | undefined
  /** Answers why it could not be started, or undefined. `files`: what is mounted from secrets and of its pod, by its path. */
  start(pod: KubeObject, files: ReadonlyMap<string, string>, ended: (exit: ContainerExit) => void): string | undefined
  /** Files of folders that it has mounted hold something else from now on, all of them at once. */
  rewrite(pod: KubeObject, files: ReadonlyMap<string, string>): void
  /** Asks it to end; after the grace it is killed. */
  stop(uid: string, graceSeconds: number): void
  log(uid: string): readonly { readonly at: number; readonly text: string }[]
  /** Its pod is gone for good. */
  forget(uid: string): void
}

/** The kubelets: they run pods, on the nodes that they are given to, and tell what becomes of them. */
export class Kubelet {
  private readonly started = new Set<string>()
  private readonly ended = new Set<string>()
  /** Of what runs: what its files hold that follow its pod. */
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

  /** Nothing is scheduled to it any more, and what runs on it is evicted. */
  drain(name: string): void {
    const node = this.nodes.find((one) => one.name === name)
    if (node !== undefined) node.cordoned = true
    for (const { metadata, spec } of this.api.store.list(PODS)) {
      if (spec.nodeName === name) this.api.delete(PODS, metadata.namespace, metadata.name, {})
    }
  }

  /** Looks again at what has not begun: there may be more room. */
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
    // A room that comes free, or a secret that a pod waits for, is looked at by those that wait.
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
    const files = mountedFiles(pod, (name) => this.api.store.find(SECRETS, pod.metadata.namespace, name))
    // FailedMount: what is missing may come yet, and until then it is ContainerCreating.
    if (files === undefined) return
    const image = pod.spec.containers[0].image
    const fault = this.runtime.imageFault(image)
    if (fault !== undefined) {
      return this.tell(pod, { waiting: { reason: 'ErrImagePull', message: `failed to pull "${image}": ${fault}` } })
    }
    this.started.add(uid)
    this.written.set(uid, JSON.stringify([...followingFiles(pod)]))
    const why = this.runtime.start(pod, files, (exit) => this.exited(pod, exit))
    // It ended as it was started: that it ran is told by nobody.
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

  /** What a container reads of its pod follows the pod, wherever a whole folder is mounted. */
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

  /** Calls back with all of it once it has ended; answers how to be forgotten. */
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
