import type { Clock, Timers } from '@matchyard/core/ports'

/** 2026-03-01T00:00:00Z, in epoch milliseconds: the start of a month without special dates. */
export const FAKE_START = Date.UTC(2026, 2, 1)

/**
 * A clock that shows the same time until a test advances it. Timers run when the test moves the time past them, in the
 * order in which they are due.
 */
export class FakeClock implements Clock, Timers {
  private readonly pending = new Set<{ dueAt: number; order: number; callback: () => void }>()
  private ordered = 0

  constructor(private instant: number = FAKE_START) {}

  now(): number {
    return this.instant
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { dueAt: this.instant + Math.max(0, ms), order: this.ordered++, callback }
    this.pending.add(timer)
    return () => void this.pending.delete(timer)
  }

  /** Number of timers that are set. */
  get waiting(): number {
    return this.pending.size
  }

  /** Advances by `ms` milliseconds. Throws for a negative number. */
  advance(ms: number): void {
    if (ms < 0) throw new RangeError(`a clock cannot go back ${-ms} ms`)
    this.advanceTo(this.instant + ms)
  }

  /**
   * Advances to a time in epoch milliseconds. For a time in the past the method does nothing, because the clock never
   * runs backwards.
   */
  advanceTo(instant: number): void {
    for (let timer = this.nextDue(instant); timer !== undefined; timer = this.nextDue(instant)) {
      this.pending.delete(timer)
      this.instant = Math.max(this.instant, timer.dueAt)
      timer.callback()
    }
    this.instant = Math.max(this.instant, instant)
  }

  /** Returns the time at which the earliest timer is due; undefined when no timer is set. */
  nextTimerAt(): number | undefined {
    return this.nextDue(Number.POSITIVE_INFINITY)?.dueAt
  }

  private nextDue(until: number) {
    return [...this.pending]
      .filter((timer) => timer.dueAt <= until)
      .sort((a, b) => a.dueAt - b.dueAt || a.order - b.order)[0]
  }
}
