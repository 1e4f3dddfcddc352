import type { KubeObject, Resource } from './objects'
import { ApiStatus, expired } from './status'

export interface StoredEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly version: number
  readonly resource: Resource
  readonly object: KubeObject
  /** What it was; by it a selector knows what has left its set. */
  readonly before: KubeObject | undefined
}

/** All changes of a cluster's objects, under the one number that counts them. */
export class ChangeLog {
  // Far from 1, so that nobody takes a version for a count.
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

  /** All changes after a version. */
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

  /** Forgets all changes so far, as etcd does every five minutes: who asks for what came after an older version is told so. */
  compact(): void {
    this.events = []
    this.oldest = this.newest
  }
}
