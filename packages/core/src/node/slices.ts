import type { Ports } from '../ports/ports'

/** Work that shares the event loop gives it back after this long. */
export const SLICE_MS = 8

/** Watches how long some work has kept the event loop, and gives it back in time. */
export class Slices {
  private endsAt: number

  constructor(private readonly ctx: Pick<Ports, 'clock' | 'timers'>) {
    this.endsAt = ctx.clock.now() + SLICE_MS
  }

  get isOver(): boolean {
    return this.ctx.clock.now() >= this.endsAt
  }

  /** To be called between two steps: lets everybody else have their turn where the slice is over. */
  async pause(): Promise<void> {
    if (!this.isOver) return
    await new Promise<void>((resolve) => this.ctx.timers.after(0, resolve))
    this.endsAt = this.ctx.clock.now() + SLICE_MS
  }
}
