import type { Ports } from '../ports/ports'

/** Milliseconds after which long work yields the event loop. */
export const SLICE_MS = 8

/** Measures how long some work has occupied the event loop, and yields it in time. */
export class Slices {
  private endsAt: number

  constructor(private readonly ctx: Pick<Ports, 'clock' | 'timers'>) {
    this.endsAt = ctx.clock.now() + SLICE_MS
  }

  get isOver(): boolean {
    return this.ctx.clock.now() >= this.endsAt
  }

  /** Yields the event loop when the slice is over. Call it between two steps of the work. */
  async pause(): Promise<void> {
    if (!this.isOver) return
    await new Promise<void>((resolve) => this.ctx.timers.after(0, resolve))
    this.endsAt = this.ctx.clock.now() + SLICE_MS
  }
}
