import type { Pauses } from '../kube/client'
import type { Observer } from './observer'

/** How soon a server that takes players is seen to. */
const LOOK_EVERY_MS = 250
/** Of servers that came up, so many are told apart from those that do so now. */
const REMEMBERED_READY = 1_000

/** Tells listeners which instances are worth a look. */
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

  /** The cluster says nothing of ports that begin to accept: what is starting is looked at. */
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
