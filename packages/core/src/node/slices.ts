import type { Ports } from '../ports/ports'

/** Milliseconds of work without a pause, after which the work yields the event loop. */
export const SLICE_MS = 8

/** Measures how long a task has occupied the event loop, and yields the event loop in time. */
export class Slices {
  private endsAt: number

  constructor(private readonly ctx: Pick<Ports, 'clock' | 'timers'>) {
    this.endsAt = ctx.clock.now() + SLICE_MS
  }

  get isOver(): boolean {
    return this.ctx.clock.now() >= this.endsAt
  }

  /** Yields the event loop when the task has run for SLICE_MS. Call this between two steps of the task. */
  async pause(): Promise<void> {
    if (!this.isOver) return
    await new Promise<void>((resolve) => this.ctx.timers.after(0, resolve))
    this.endsAt = this.ctx.clock.now() + SLICE_MS
  }
}
