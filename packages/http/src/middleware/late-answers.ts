import type { Timers } from '@matchyard/core/ports'

/**
 * Maximum number of answers that are delayed at once. Beyond it, the answer that has been delayed for the longest is
 * sent at once.
 */
export const MAX_LATE_ANSWERS = 1_000

/**
 * Delays answers. A delayed answer occupies its connection, but no slot for password hashing and no position in a
 * queue.
 */
export class LateAnswers {
  /** Functions that send the delayed answers, the oldest first. */
  private readonly held = new Set<() => void>()

  constructor(private readonly timers: Timers) {}

  /** Resolves after `ms` milliseconds, or sooner when too many answers are delayed. */
  async hold(ms: number): Promise<void> {
    if (ms <= 0) return
    const [oldest] = this.held
    if (this.held.size >= MAX_LATE_ANSWERS) oldest?.()
    await new Promise<void>((resolve) => {
      const give = () => {
        cancel()
        this.held.delete(give)
        resolve()
      }
      const cancel = this.timers.after(ms, give)
      this.held.add(give)
    })
  }
}
