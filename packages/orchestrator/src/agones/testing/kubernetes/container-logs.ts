import type { KubeObject } from './objects'

/** Maximum number of lines, and of characters, that a termination message takes from a log. */
const MESSAGE_LINES = 80
const MESSAGE_CHARACTERS = 2_048

interface SaidByContainers {
  log(uid: string): readonly { readonly at: number; readonly text: string }[]
}

/** Logs of containers, in the form in which a kubelet returns them. */
export class ContainerLogs {
  /**
   * UIDs of pods that were deleted before their container ended. Their containers were removed together with their
   * logs.
   */
  private readonly removed = new Set<string>()
  /** Callbacks for the end of a running container, by the UID of the container's pod. */
  private readonly followers = new Map<string, Set<() => void>>()

  constructor(private readonly said: SaidByContainers) {}

  /**
   * Returns the log of a pod. A container that ends while its pod is being deleted is removed with its log at once,
   * even if finalizers keep the pod's object. Other logs stay readable.
   */
  read(pod: KubeObject, query: URLSearchParams): string {
    const { uid } = pod.metadata
    if (!this.removed.has(uid)) return this.lines(pod, query)
    return `unable to retrieve container logs for containerd://${uid}`
  }

  remove(uid: string): void {
    this.removed.add(uid)
  }

  /** Calls `over` with the whole log when the container has ended. Returns a function that removes this callback. */
  follow(pod: KubeObject, query: URLSearchParams, over: (text: string) => void): () => void {
    const { uid } = pod.metadata
    const tell = () => over(this.lines(pod, query))
    const all = this.followers.get(uid) ?? new Set()
    this.followers.set(uid, all.add(tell))
    return () => void all.delete(tell)
  }

  /** Sends the log to all followers of a container that has ended. */
  tellFollowers(uid: string): void {
    for (const over of this.followers.get(uid) ?? []) over()
    this.followers.delete(uid)
  }

  /**
   * Returns the end of the log, if the container's settings use the log as its termination message; otherwise
   * undefined.
   */
  lastWords(pod: KubeObject): string | undefined {
    if (pod.spec.containers[0].terminationMessagePolicy !== 'FallbackToLogsOnError') return undefined
    const lines = this.lines(pod, new URLSearchParams({ tailLines: String(MESSAGE_LINES) }))
    return lines.slice(-MESSAGE_CHARACTERS)
  }

  private lines({ metadata: { uid } }: KubeObject, query: URLSearchParams): string {
    const since = Date.parse(query.get('sinceTime') ?? '')
    const lines = this.said.log(uid).filter(({ at }) => Number.isNaN(since) || at >= since)
    const tail = Number(query.get('tailLines') ?? lines.length)
    const stamped = query.get('timestamps') === 'true'
    const last = tail === 0 ? [] : lines.slice(-tail)
    return last.map(({ at, text }) => `${stamped ? `${new Date(at).toISOString()} ` : ''}${text}\n`).join('')
  }
}
