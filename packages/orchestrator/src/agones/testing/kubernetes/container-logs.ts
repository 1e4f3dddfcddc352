import type { KubeObject } from './objects'

/** Of a log, for a termination message. */
const MESSAGE_LINES = 80
const MESSAGE_CHARACTERS = 2_048

interface SaidByContainers {
  log(uid: string): readonly { readonly at: number; readonly text: string }[]
}

/** What containers said, as a kubelet tells it. */
export class ContainerLogs {
  /** Those whose pods were deleted before they ended: their containers were removed with what they said. */
  private readonly removed = new Set<string>()
  /** Who reads the log of what runs until it has ended. */
  private readonly followers = new Map<string, Set<() => void>>()

  constructor(private readonly said: SaidByContainers) {}

  /** What ends in a pod that is being deleted is removed with its log at once, whatever keeps the pod's object; else it stays for a while. */
  read(pod: KubeObject, query: URLSearchParams): string {
    const { uid } = pod.metadata
    if (!this.removed.has(uid)) return this.lines(pod, query)
    return `unable to retrieve container logs for containerd://${uid}`
  }

  remove(uid: string): void {
    this.removed.add(uid)
  }

  /** Calls back with all of it once its container has ended; answers how to be forgotten. */
  follow(pod: KubeObject, query: URLSearchParams, over: (text: string) => void): () => void {
    const { uid } = pod.metadata
    const tell = () => over(this.lines(pod, query))
    const all = this.followers.get(uid) ?? new Set()
    this.followers.set(uid, all.add(tell))
    return () => void all.delete(tell)
  }

  /** Its container has ended. */
  tellFollowers(uid: string): void {
    for (const over of this.followers.get(uid) ?? []) over()
    this.followers.delete(uid)
  }

  /** The end of its log, where its container asks for it in place of a file of its own. */
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
