import type { Pauses } from '../kube/client'
import type { Observer } from './observer'

/** Milliseconds between two checks of the servers that are starting. */
const LOOK_EVERY_MS = 250
/** Number of ready servers that are remembered, so that listeners get no second hint that a server is ready. */
const REMEMBERED_READY = 1_000

/** Sends hints to listeners: the ids of instances whose state may have changed. */
export class Hints {
  private readonly listeners = new Set<(instanceId: string) => void>()
  private readonly watched = new Set<Observer>()

  constructor(
    private readonly observers: readonly Observer[],
    private readonly pauses: Pauses,
    private readonly closing: AbortSignal,
  ) {}

  subscribe(listener: (instanceId: string) => void): () => void {
    this.listeners.add(listener)
    for (const observer of this.observers) if (!this.watched.has(observer)) void this.watchStarting(observer)
    return () => this.listeners.delete(listener)
  }

  tell(instanceId: string): void {
    for (const listener of [...this.listeners]) listener(instanceId)
  }

  close(): void {
    this.listeners.clear()
  }

  /**
   * Checks the starting servers of a cluster regularly, as long as there are listeners: the cluster sends no event when
   * ports begin to accept connections.
   */
  private async watchStarting(observer: Observer): Promise<void> {
    this.watched.add(observer)
    const ready = new Set<string>()
    while (!this.closing.aborted && this.listeners.size > 0) {
      for (const { instanceId, attempt, state } of await observer.starting().catch(() => [])) {
        const key = `${instanceId}/${attempt}`
        if (state === 'ready' && !ready.has(key)) this.tell(instanceId)
        if (state === 'ready') ready.add(key)
      }
      if (ready.size > REMEMBERED_READY) ready.clear()
      observer.forgetGone()
      await this.pauses.pause(LOOK_EVERY_MS, this.closing).catch(() => {})
    }
    this.watched.delete(observer)
  }
}
