import type { ObservedServer } from '@matchyard/core'

const STARTING_EVERY_MS = 50
const RUNNING_EVERY_MS = 250

/** Looks often enough to hint at a change soon, and only while there is something to look at. */
export class Watch {
  private readonly listeners = new Set<(instanceId: string) => void>()
  private last = new Map<string, string>()
  private timer: NodeJS.Timeout | undefined
  private closed = false

  constructor(private readonly survey: () => Promise<ObservedServer[]>) {}

  subscribe(listener: (instanceId: string) => void): () => void {
    this.listeners.add(listener)
    this.wake()
    return () => this.listeners.delete(listener)
  }

  /** There may be something new to look at. */
  wake(): void {
    if (this.closed || this.listeners.size === 0) return
    clearTimeout(this.timer)
    this.schedule(STARTING_EVERY_MS)
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
    this.listeners.clear()
  }

  private schedule(ms: number): void {
    this.timer = setTimeout(() => {
      this.timer = undefined
      // A look that fails (the disk) is tried again; `observe` will say why.
      this.look().catch(() => this.again(RUNNING_EVERY_MS))
    }, ms)
    this.timer.unref() // hints alone keep no process alive
  }

  private again(ms: number): void {
    if (!this.closed && this.timer === undefined) this.schedule(ms)
  }

  private async look(): Promise<void> {
    const servers = await this.survey()
    const now = new Map(servers.map(({ instanceId, attempt, state }) => [instanceId, `${attempt} ${state}`]))
    const before = this.last
    this.last = now
    for (const instanceId of new Set([...before.keys(), ...now.keys()])) {
      if (before.get(instanceId) !== now.get(instanceId)) this.hint(instanceId)
    }
    if (servers.some(({ state }) => state === 'starting')) this.again(STARTING_EVERY_MS)
    else if (servers.some(({ state }) => state !== 'exited')) this.again(RUNNING_EVERY_MS)
  }

  private hint(instanceId: string): void {
    if (this.closed) return
    for (const listener of this.listeners) listener(instanceId)
  }
}
