import type { KubeObject, Resource } from './objects'
import { ApiStatus, expired } from './status'

export interface StoredEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly version: number
  readonly resource: Resource
  readonly object: KubeObject
  /** The object before the change. Watches with a selector need it to report an object that no longer matches. */
  readonly before: KubeObject | undefined
}

/** All changes of a cluster's objects, numbered by one counter. */
export class ChangeLog {
  // The first version is a large number, so that no test can mistake a version for a count.
  private newest = 48_000
  private oldest = 48_000
  private events: StoredEvent[] = []
  private readonly listeners = new Set<(event: StoredEvent) => void>()

  get version(): number {
    return this.newest
  }

  nextVersion(): string {
    return String(++this.newest)
  }

  add(event: StoredEvent): void {
    this.events.push(event)
    for (const listener of [...this.listeners]) listener(event)
  }

  /** Returns all changes after a version. Throws `Expired` when the version is older than the log. */
  since(version: string): StoredEvent[] {
    const from = Number(version)
    if (!Number.isSafeInteger(from)) throw new ApiStatus('BadRequest', `invalid resource version "${version}"`)
    if (from < this.oldest) throw expired(version, this.oldest)
    return this.events.filter((event) => event.version > from)
  }

  subscribe(listener: (event: StoredEvent) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /**
   * Removes all changes so far, as etcd does every five minutes. After that, `since` throws `Expired` for versions
   * before this time.
   */
  compact(): void {
    this.events = []
    this.oldest = this.newest
  }
}
