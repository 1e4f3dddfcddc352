import type { StoredEvent } from './change-log'
import { apiVersionOf, copyOf, type KubeObject, type Resource } from './objects'
import { ApiStatus } from './status'
import type { ObjectStore } from './store'

export interface WatchRequest {
  readonly resource: Resource
  readonly namespace: string
  readonly matches: (labels: Record<string, string> | undefined) => boolean
  readonly resourceVersion: string
  readonly bookmarks: boolean
}

/** One open stream of changes. */
export class Watch {
  private sent = 0

  constructor(
    private readonly store: ObjectStore,
    private readonly request: WatchRequest,
    private readonly send: (line: object) => void,
    private readonly cut: () => void,
    private readonly judge: (index: number) => 'pass' | 'before' | 'after',
  ) {}

  /**
   * Sends the changes since the version in the request. If the request contains no version, sends all present objects.
   */
  begin(): void {
    const { resource, namespace, matches, resourceVersion } = this.request
    if (resourceVersion === '' || resourceVersion === '0') {
      for (const object of this.store.list(resource, namespace)) {
        if (matches(object.metadata.labels) && !this.tell('ADDED', object)) return
      }
      return
    }
    for (const event of this.store.since(resourceVersion)) if (!this.hear(event)) return
  }

  /** Sends a change if the watch's request covers the object. Returns false when the stream has been interrupted. */
  hear({ type, resource, object, before }: StoredEvent): boolean {
    if (resource !== this.request.resource || object.metadata.namespace !== this.request.namespace) return true
    const is = type !== 'DELETED' && this.request.matches(object.metadata.labels)
    const was = before !== undefined && this.request.matches(before.metadata.labels)
    if (!is && !was) return true
    // A watch with a selector reports an object that no longer matches as deleted.
    return this.tell(!is ? 'DELETED' : was ? 'MODIFIED' : 'ADDED', object)
  }

  /** Sends the current version of the store without an object. */
  bookmark(): void {
    if (!this.request.bookmarks) return
    const { resource } = this.request
    const metadata = { resourceVersion: this.store.resourceVersion, creationTimestamp: null }
    this.send({ type: 'BOOKMARK', object: { kind: resource.kind, apiVersion: apiVersionOf(resource), metadata } })
  }

  expire(error: ApiStatus): void {
    this.send({ type: 'ERROR', object: error.toJSON() })
    this.cut()
  }

  private tell(type: StoredEvent['type'], object: KubeObject): boolean {
    const fate = this.judge(this.sent++)
    if (fate === 'before') {
      this.cut()
      return false
    }
    this.send({ type, object: copyOf(object) })
    if (fate === 'pass') return true
    this.cut()
    return false
  }
}

export const isStatus = (error: unknown): error is ApiStatus => error instanceof ApiStatus
