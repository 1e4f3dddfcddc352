import type { ObservedServer } from '@matchyard/core/ports'
import { Newcomers } from '../kit/index'

const STARTING_EVERY_MS = 50
const RUNNING_EVERY_MS = 250

/**
 * Checks the servers for changes, at intervals so short that a change is reported soon. The checks start with the first
 * listener, and pause while there are no running servers.
 */
export class Watch {
  private readonly listeners = new Set<(instanceId: string) => void>()
  private readonly last = new Map<string, string>()
  private timer: NodeJS.Timeout | undefined
  private due = 0
  private closed = false

  /** Instances that are checked soon, because they were launched or stopped or are starting. */
  private soon = new Set<string>()
  private nextOfAll = 0
  private readonly newcomers = new Newcomers()

  constructor(private readonly survey: (only?: ReadonlySet<string>) => Promise<ObservedServer[]>) {}

  subscribe(listener: (instanceId: string) => void): () => void {
    this.listeners.add(listener)
    this.wake()
    return () => this.listeners.delete(listener)
  }

  /** Schedules a check of one instance, or of all instances. */
  wake(instanceId?: string): void {
    if (this.closed || this.listeners.size === 0) return
    if (instanceId === undefined) this.nextOfAll = 0
    else this.soon.add(instanceId)
    this.schedule(STARTING_EVERY_MS)
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
    this.listeners.clear()
  }

  private schedule(ms: number): void {
    const due = performance.now() + ms
    // Repeated calls do not delay a check that is already scheduled.
    if (this.timer !== undefined && this.due <= due) return
    clearTimeout(this.timer)
    this.due = due
    this.timer = setTimeout(() => {
      this.timer = undefined
      // After a failed check (for example a disk error), all servers are checked again; `observe` reports the error.
      this.look().catch(() => {
        this.nextOfAll = 0
        this.again(RUNNING_EVERY_MS)
      })
    }, ms)
    this.timer.unref() // the timer must not keep the process alive
  }

  private again(ms: number): void {
    if (!this.closed && this.timer === undefined) this.schedule(ms)
  }

  /**
   * Checks all servers at long intervals. Between these checks, it checks only servers whose state is expected to
   * change.
   */
  private async look(): Promise<void> {
    const startedAt = performance.now()
    const only = startedAt >= this.nextOfAll ? undefined : this.soon
    this.soon = new Set()
    if (only === undefined) this.nextOfAll = startedAt + RUNNING_EVERY_MS
    const servers = await this.survey(only)
    this.compare(servers, only ?? new Set([...this.last.keys(), ...servers.map(({ instanceId }) => instanceId)]))
    for (const instanceId of this.newcomers.among(servers, startedAt)) this.soon.add(instanceId)
    if (this.soon.size > 0) this.again(STARTING_EVERY_MS)
    else if ([...this.last.values()].some((seen) => !seen.endsWith('exited'))) this.again(RUNNING_EVERY_MS)
  }

  private compare(servers: readonly ObservedServer[], looked: ReadonlySet<string>): void {
    const now = new Map(servers.map(({ instanceId, attempt, state }) => [instanceId, `${attempt} ${state}`]))
    const changed = [...looked].filter((instanceId) => this.last.get(instanceId) !== now.get(instanceId))
    for (const instanceId of changed) {
      const seen = now.get(instanceId)
      if (seen === undefined) {
        this.last.delete(instanceId)
        this.newcomers.forget(instanceId)
      } else this.last.set(instanceId, seen)
    }
    for (const instanceId of changed) this.hint(instanceId)
  }

  private hint(instanceId: string): void {
    if (this.closed) return
    for (const listener of this.listeners) listener(instanceId)
  }
}
